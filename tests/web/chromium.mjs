// The browser that tests and bench drive, and how it is started.
export const executablePath = process.env.LAB_CHROMIUM ?? '/usr/bin/chromium';
export const args = ['--no-sandbox', '--no-first-run', '--disable-quic', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb', '--disable-gpu-watchdog'];   // a busy machine is not a hung one
