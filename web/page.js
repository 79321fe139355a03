//# allFunctionsCalledOnLoad
// What the program asks of the page (Module.page) and what the page offers to scripts (window.attentionLab).
'use strict';

(() => {
  const cover = document.getElementById('cover');
  const message = document.getElementById('message');
  const isFile = location.protocol === 'file:';
  const errors = [];
  let lab = null;               // the program's functions, once it runs
  let drawn = () => {};
  let first = null;             // what the mirror shows when the first picture is seen, which it does not hold up
  let waiting = [];             // who waits for the picture to come to rest
  let failed = false;
  const ready = new Promise(resolve => { drawn = resolve; });

  message.textContent = 'Getting ready…';
  document.documentElement.classList.toggle('framed', window !== window.top);
  const asked = /[?&#]theme=(light|dark)\b/.exec(location.href);
  if (asked) document.documentElement.dataset.theme = asked[1];

  // ---- errors ------------------------------------------------------------------------------------------------

  function error(text) {
    errors.push(String(text));
    console.warn(text);
  }
  function fail(why) {
    if (failed) return;
    failed = true;
    error(why);
    cover.hidden = false;
    cover.classList.add('failed');
    cover.setAttribute('role', 'alert');
    message.textContent = why;
  }
  const notLoaded = isFile
    ? 'This page cannot be opened as a file, because browsers do not let it load its parts. Open attention-lab.html, which is all in one file, or serve this folder.'
    : 'A part of the lab could not be loaded. Please check the connection and load the page again.';
  const notStarted = 'The lab could not start in this browser. An extension or a strict setting may keep it from drawing; a window without extensions or another browser will tell.';
  const stopped = 'The lab has stopped: there is a mistake in it. What you did is kept in the address; load the page again to go on.';
  const taken = 'The browser took the picture away to save memory. It comes back by itself, or when you load the page again; what you did is kept in the address.';
  window.addEventListener('error', e => {
    if (typeof WebAssembly === 'object' && e.error instanceof WebAssembly.RuntimeError) fail(stopped);
    if (e.target?.tagName === 'SCRIPT') return fail(notLoaded);
    error(e.message || 'error');
    setTimeout(() => { if (drawn && !failed) fail(notStarted); }, 1000);   // unless something better is said of it
  }, true);
  window.addEventListener('unhandledrejection', e => error(e.reason?.message ?? e.reason));
  document.addEventListener('securitypolicyviolation', e => error('policy: ' + e.violatedDirective + ' ' + e.blockedURI));

  // The program is compiled while the context is made. A file that holds all brings it itself (Module.wasmBinary).
  const source = document.querySelector('link[as=fetch]')?.href;
  const fetched = () => fetch(source, { credentials: 'same-origin' });
  const compiled = source && typeof WebAssembly === 'object' && WebAssembly.compileStreaming &&
    WebAssembly.compileStreaming(fetched()).catch(async () => {     // some hosts send it as another type
      const answer = await fetched();
      if (!answer.ok) throw Error(answer.statusText);
      return WebAssembly.compile(await answer.arrayBuffer());
    });
  compiled?.catch?.(() => {});     // told when it is asked for

  // The program asks for the same context and gets this one, made while the program itself is still on its way.
  // What it asks for stands in platform_web.cpp. The size comes first: to change it later is to wait for the GPU.
  const canvas = document.getElementById('canvas');
  // It is as large as the window, which needs no layout to be known.
  canvas.width = Math.round(innerWidth * devicePixelRatio);
  canvas.height = Math.round(innerHeight * devicePixelRatio);
  const asking = performance.now();
  canvas.getContext('webgl2', { alpha: false, depth: false, stencil: false, antialias: false });
  performance.measure('graphics', { start: asking });

  // A module of one function that counts the bits of a vector.
  const vectors = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
  if (typeof WebAssembly === 'object' && !WebAssembly.validate(new Uint8Array(vectors))) {
    fail('This browser is too old for the lab: its WebAssembly has no vectors (SIMD). Any browser of the last years has them.');
  } else if (typeof WebAssembly !== 'object') {
    fail('This browser cannot run WebAssembly, which the lab is made of. Any current browser can; some switch it off in their strictest settings.');
  }

  // ---- the address: ?query where the page is served, #query where it is a file -------------------------------

  const query = () => location.hash.length > 1 ? location.hash.slice(1) : location.search.slice(1);
  // What is too long for a server's patience stays behind #, which no server is asked for.
  const sign = text => isFile || text.length > 4000 ? '#' : '?';
  const link = text => location.href.replace(/[?#].*$/, '') + (text ? sign(text) + text : '');
  function setQuery(text, newEntry) {
    if (text === query() && !(location.hash && sign(text) === '?')) return;
    try {
      history[newEntry ? 'pushState' : 'replaceState'](null, '', link(text));
    } catch (e) {
      location.hash = text;
    }
  }
  function onNavigate() { if (lab) lab.navigate(query()); }

  // ---- a picture that is taken away; mostly it comes back at once ---------------------------------------------

  let away = 0;
  canvas.addEventListener('webglcontextlost', () => {
    away = setTimeout(() => { cover.hidden = false; message.textContent = taken; }, 3000);
  });
  canvas.addEventListener('webglcontextrestored', () => {
    clearTimeout(away);
    cover.hidden = !failed && !drawn;
  });

  // ---- clipboard, files --------------------------------------------------------------------------------------

  function copy(text) {
    const byHand = () => {
      const area = document.createElement('textarea');
      const focused = document.activeElement;
      area.value = text;
      area.className = 'unseen';
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
      focused?.focus?.();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).catch(byHand);
    else byHand();
  }
  function download(name, type, bytes) {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    const a = document.createElement('a');
    a.href = url;
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  // ---- letters that the program's own fonts lack -------------------------------------------------------------

  let brush = null;
  function glyph(code, size, mono) {
    brush ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const letter = String.fromCodePoint(code);
    const font = `${size}px ${mono ? 'monospace' : 'sans-serif'}`;
    brush.font = font;
    const m = brush.measureText(letter);
    const left = Math.ceil(m.actualBoundingBoxLeft) + 1;
    const up = Math.ceil(m.actualBoundingBoxAscent) + 1;
    const width = left + Math.ceil(m.actualBoundingBoxRight) + 1;
    const height = up + Math.ceil(m.actualBoundingBoxDescent) + 1;
    if (!(width > 0 && height > 0 && width < 512 && height < 512)) return null;
    Object.assign(brush.canvas, { width, height });     // forgets the font
    Object.assign(brush, { font, fillStyle: '#fff' });
    brush.fillText(letter, left, up);
    const pixels = brush.getImageData(0, 0, width, height).data;
    let colored = false;                                // an emoji paints in colours of its own
    for (let i = 0; i < pixels.length && !colored; i += 4) {
      colored = pixels[i + 3] > 64 && Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) < 200;
    }
    return { advance: m.width, left, up, width, height, colored, pixels };
  }

  // For the fields of the page, which nobody types into before the first picture: to read a font takes a while.
  async function font(family, weight, bytes) {
    await ready;
    document.fonts.add(await new FontFace(family, bytes, { weight: String(weight) }).load());
  }

  // Called in the task that drew: afterwards the canvas may be empty.
  function downloadPicture(name) {
    canvas.toBlob(async blob => download(name, 'image/png', await blob.arrayBuffer()), 'image/png');
  }

  // ---- GPT-2's vocabulary, which only two lessons ask for ----------------------------------------------------

  async function vocabulary() {                         // nothing when it cannot be had, and then the lesson says so
    try {
      const answer = await fetch('vocabulary.bin', { credentials: 'same-origin' });
      return new Uint8Array(answer.ok ? await answer.arrayBuffer() : 0);
    } catch (e) {
      return new Uint8Array(0);
    }
  }

  // ---- what is kept for the next visit; nothing where the browser keeps nothing ------------------------------

  const kept = key => 'attention-lab.' + key;
  function load(key) {
    try { return localStorage.getItem(kept(key)) ?? ''; } catch (e) { return ''; }
  }
  function save(key, value) {
    try { localStorage.setItem(kept(key), value); } catch (e) { /* so be it */ }
  }

  // ---- keys that no element takes ----------------------------------------------------------------------------

  function keyName(e) {
    const ctrl = e.ctrlKey || e.metaKey;
    const printable = [...e.key].length === 1 && e.key !== ' ';
    const key = printable && ctrl ? e.key.toLowerCase() : e.key;
    const shift = e.shiftKey && (ctrl || !printable) && e.key !== ' ';
    return (ctrl ? 'Ctrl+' : '') + (e.altKey && !printable ? 'Alt+' : '') + (shift ? 'Shift+' : '') + key;
  }
  const isField = element => /^(INPUT|TEXTAREA)$/.test(element?.tagName) && !element.readOnly;
  function onKey(e) {
    if (e.defaultPrevented || e.isComposing || e.keyCode === 229 || e.key === 'Tab' || isField(e.target)) return;
    if (/^(Shift|Control|Alt|Meta|Dead|Unidentified)/.test(e.key)) return;
    if (e.target?.tagName === 'BUTTON' && (e.key === 'Enter' || e.key === ' ')) return;  // it is clicked
    if (lab.key(keyName(e))) e.preventDefault();
  }
  function onPaste(e) {
    const text = e.clipboardData?.getData('text/plain');
    if (text && !isField(e.target)) lab.paste(text);
  }

  // ---- what the program calls --------------------------------------------------------------------------------

  const page = {
    start(program) {
      lab = program;
      window.LabMirror.start(program);
      window.LabPointers.listen(window.Module.canvas, program, page);
      document.addEventListener('keydown', onKey);
      document.addEventListener('paste', onPaste);
      window.addEventListener('popstate', onNavigate);
      window.addEventListener('hashchange', onNavigate);
    },
    drawn() {
      if (!drawn || cover.hidden) return;
      performance.mark('first-frame');
      cover.hidden = true;
      setTimeout(() => {
        window.LabMirror.publish(first);
        first = null;
        drawn();
        drawn = null;
      });
    },
    settled() {
      const resolved = waiting;
      waiting = [];
      resolved.forEach(resolve => resolve());
    },
    publish(json) {
      const targets = JSON.parse(json);
      if (drawn) first = targets;
      else window.LabMirror.publish(targets);
    },
    announce(text) {                                    // the same words twice are no news unless they differ
      const live = document.getElementById('live');
      live.textContent = live.textContent === text ? text + '\u00A0' : text;
    },
    theme(dark) {
      document.documentElement.dataset.theme = dark ? 'dark' : 'light';
      document.querySelector('meta[name=theme-color]').content = dark ? '#15161A' : '#F7F6F2';
    },
    title(text) {
      document.title = text;
      document.getElementById('title').textContent = text;
    },
    ready, query, link, setQuery, copy, download, downloadPicture, glyph, font, vocabulary, load, save, error, fail,
  };

  window.Module = {
    canvas,
    page,
    print: text => console.log(text),
    printErr: error,
    onAbort: () => fail(lab ? stopped : notLoaded),
    instantiateWasm: compiled && ((imports, take) => {
      compiled.then(module => WebAssembly.instantiate(module, imports).then(instance => take(instance, module)))
        .catch(e => { fail(notLoaded); error(e); });
      return {};
    }),
    onRuntimeInitialized() { performance.mark('program'); },
  };

  // ---- for scripts and tests ---------------------------------------------------------------------------------

  // Resolves when nothing moves any more.
  const rest = () => new Promise(resolve => lab.settled() ? resolve() : waiting.push(resolve));
  window.attentionLab = {
    ready,
    query: () => lab.query(),
    open: async text => {
      lab.open(String(text).replace(/^[?#]/, ''));
      await rest();
    },
    trace: () => lab.trace(),       // the text that `attention-lab trace` prints
    targets: () => window.LabMirror.targets(),
    stats: () => JSON.parse(lab.stats()),
    errors: () => errors.slice(),
    rest,
  };
})();
