window.Module = { canvas: document.getElementById('canvas'), onRuntimeInitialized() { window.started = true; } };
