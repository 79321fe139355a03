// The mirror: real HTML over the canvas, kept element by element from the list that the program publishes, so that
// screen readers, the keyboard, search and print have something to hold. No logic: what is used is told to the lab.
'use strict';

window.LabMirror = (() => {
  const root = document.getElementById('mirror');
  const heading = document.getElementById('title');
  const nodes = new Map();       // id → {element, target}
  let lab = null;                // what page.js hands over when the program runs

  const set = (element, name, value) => {
    if (value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };

  function place(element, box) {
    const seen = box.seen ?? box;          // what an enlarged stage cuts off is not there for a finger either
    const cut = [seen.y - box.y, box.x + box.w - seen.x - seen.w, box.y + box.h - seen.y - seen.h, seen.x - box.x];
    const at = [box.x, box.y, box.w, box.h, ...cut].join(' ');
    if (element.dataset.box === at) return;
    element.dataset.box = at;
    Object.assign(element.style, { left: box.x + 'px', top: box.y + 'px', width: box.w + 'px', height: box.h + 'px',
      clipPath: box.seen ? `inset(${cut.map(c => c + 'px').join(' ')})` : '' });
  }

  function tellFocus(element, id) {
    element.addEventListener('focusin', () => lab.focus(id));
    element.addEventListener('focusout', e => { if (!element.contains(e.relatedTarget)) lab.focus(''); });
  }

  // A key that an input method took: Safari sends it when the composition has just ended, known by the code alone.
  const isComposed = e => e.isComposing || e.keyCode === 229;

  // ---- text fields: the real thing ---------------------------------------------------------------------------

  function makeField(target) {
    const field = document.createElement(target.multiline ? 'textarea' : 'input');
    if (!target.multiline) field.type = 'text';
    field.autocomplete = 'off';
    field.spellcheck = false;
    set(field, 'enterkeyhint', 'done');
    if (target.numeric) {
      field.inputMode = 'decimal';
      field.classList.add('digits');
    }
    const id = target.id;
    const now = () => nodes.get(id)?.target ?? target;
    const tell = () => lab.act(id, field.value);
    let before = '';
    let editing = false;
    tellFocus(field, id);

    function edit() {
      if (now().disabled) return lab.act(id, '');        // it says why
      editing = true;
      field.readOnly = false;
      before = field.value = now().value;
      place(field, now().edit ?? now());
      field.select();
      lab.focus(id);
    }
    // Typing is over; the focus may rest on the field, which is then read only.
    function rest(cancelled) {
      field.readOnly = document.activeElement === field || !!now().disabled;
      if (!editing) return;
      editing = false;
      if (cancelled) field.value = before;
      lab.typingDone(id, cancelled);
      field.value = now().value;
      place(field, now());
    }

    field.addEventListener('focus', () => { if (!now().disabled) edit(); });
    field.addEventListener('pointerdown', () => { if (document.activeElement === field && field.readOnly) edit(); });
    field.addEventListener('input', e => { if (!e.isComposing) tell(); });
    field.addEventListener('compositionend', tell);
    field.addEventListener('paste', e => {                 // into a field at rest: as typing, it replaces
      const text = e.clipboardData?.getData('text/plain');
      if (!text || !field.readOnly || now().disabled) return;
      e.preventDefault();
      edit();
      field.value = target.multiline ? text : text.replace(/\s+/g, ' ');
      tell();
    });
    field.addEventListener('keydown', e => {
      if (isComposed(e)) return;
      if (field.readOnly) {
        if (e.key === 'Enter' || now().disabled && [...e.key].length === 1) e.preventDefault();
        if (e.key === 'Enter' || e.key === 'F2' || ([...e.key].length === 1 && !e.ctrlKey && !e.metaKey)) edit();
        return;
      }
      const cancelled = e.key === 'Escape';
      const leaves = e.key === 'Tab' && field.opener?.isConnected;
      if (!(e.key === 'Enter' && !target.multiline) && !cancelled && !leaves) return;
      e.preventDefault();
      rest(cancelled);
      if (field.opener === document.body) field.blur();        // it came by the mouse
      else if (field.opener?.isConnected) field.opener.focus();  // a field that came for one number goes again
      else if (matchMedia('(pointer: coarse)').matches) field.blur();   // and the keyboard on the screen with it
    });
    field.addEventListener('blur', () => rest(false));
    return field;
  }

  function keepField(field, target) {
    set(field, 'aria-label', target.label);
    set(field, 'placeholder', target.placeholder ?? '');
    set(field, 'aria-disabled', target.disabled ? 'true' : null);   // it keeps the focus, can be read, and says why
    if (target.disabled) field.readOnly = true;
    else if (document.activeElement !== field) field.readOnly = false;
    if (document.activeElement === field && !field.readOnly) return place(field, target.edit ?? target);
    // Never its text under the hands of who types.
    place(field, target);
    if (field.value !== target.value) field.value = target.value;
  }

  // ---- buttons and what behaves like them --------------------------------------------------------------------

  const pressable = new Set(['button', 'switch', 'tab', 'link', 'menuitem', 'menuitemradio', 'option', 'radio',
    'checkbox', 'slider']);

  function makeButton(target) {
    const button = document.createElement('button');
    button.type = 'button';
    if (target.role !== 'button') button.setAttribute('role', target.role);
    button.addEventListener('click', () => lab.act(target.id, ''));
    button.addEventListener('keydown', e => {
      if (!nodes.get(target.id)?.target.inMenu) return;
      if (e.key === 'Tab' && button.opener?.isConnected) button.opener.focus();  // and on from there
      if (!/^(Arrow(Up|Down)|Home|End)$/.test(e.key)) return;
      e.preventDefault();
      const menu = [...nodes.values()].filter(n => n.target.inMenu).map(n => n.element);
      const at = menu.indexOf(button);
      const next = { Home: 0, End: menu.length - 1, ArrowUp: at + menu.length - 1, ArrowDown: at + 1 }[e.key];
      menu[next % menu.length].focus();
    });
    tellFocus(button, target.id);
    return button;
  }

  function keepButton(button, target) {
    const { role, value } = target;
    const state = value === 'true' || value === 'false' ? value : null;
    const checked = ['switch', 'radio', 'checkbox', 'menuitemradio'].includes(role);
    const chosen = role === 'tab' || role === 'option';
    setText(button, target.label);
    set(button, 'aria-pressed', role === 'button' ? state : null);
    set(button, 'aria-checked', checked ? state ?? 'false' : null);
    set(button, 'aria-selected', chosen ? state ?? 'false' : null);
    set(button, 'aria-haspopup', target.menu ? 'true' : null);
    set(button, 'aria-expanded', target.menu ? String(target.menu === 'open') : null);
    set(button, 'aria-current', value === 'current' ? (target.id.startsWith('step.') ? 'step' : 'page') : null);
    // aria-disabled, not disabled: it keeps the focus and can be read.
    set(button, 'aria-disabled', target.disabled ? 'true' : null);
    place(button, target);
  }

  // ---- matrices: one Tab stop, arrows inside -----------------------------------------------------------------

  function makeGrid(target) {
    const table = document.createElement('table');
    table.setAttribute('role', 'grid');
    table.append(document.createElement('caption'));
    tellFocus(table, target.id);
    table.addEventListener('keydown', e => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const key = e.key === ' ' ? 'Enter' : e.key === 'Backspace' ? 'Delete' : e.key;
      if (!/^(Arrow(Left|Right|Up|Down)|Home|End|PageUp|PageDown|Enter|Delete|Backspace)$/.test(key)) return;
      e.preventDefault();
      lab.act(target.id, key);
    });
    return table;
  }

  function makeRows(table, rows, cols) {
    table.replaceChildren(table.caption);
    // Laid out by style.css, so what each is, is said.
    const header = (row, scope) => {
      const th = document.createElement('th');
      th.scope = scope;
      th.setAttribute('role', scope === 'col' ? 'columnheader' : 'rowheader');
      row.append(th);
    };
    const newRow = () => {
      const row = table.insertRow();
      row.setAttribute('role', 'row');
      return row;
    };
    const head = newRow();
    head.append(document.createElement('td'));
    for (let c = 0; c < cols; c++) header(head, 'col');
    for (let r = 0; r < rows; r++) {
      const row = newRow();
      header(row, 'row');
      for (let c = 0; c < cols; c++) {
        const td = row.insertCell();
        td.setAttribute('role', 'gridcell');
        td.tabIndex = -1;
      }
    }
  }

  function keepGrid(table, target) {
    const shape = target.rows + ' by ' + target.cols;
    setText(table.caption, target.label + ', ' + shape + (target.value ? ', ' + target.value : ''));
    place(table, target);
    const grid = target.grid;
    const had = table.contains(document.activeElement);
    const notes = grid.rowNotes;              // too large to be read cell by cell: one cell a row says the main thing
    const cols = notes ? 1 : target.cols;
    if (table.dataset.shape !== shape) {
      table.dataset.shape = shape;
      makeRows(table, target.rows, cols);
    }
    for (let c = 0; c < cols; c++) {
      setText(table.rows[0].cells[c + 1], notes ? 'largest entry' : grid.colLabels?.[c] ?? String(c));
    }
    for (let r = 0; r < target.rows; r++) {
      const row = table.rows[r + 1];
      setText(row.cells[0], grid.rowLabels?.[r] ?? String(r));
      for (let c = 0; c < cols; c++) setText(row.cells[c + 1], notes ? notes[r] : grid.cells[r * cols + c]);
    }
    const chosen = table.rows[Math.max(0, grid.row) + 1].cells[notes ? 1 : Math.max(0, grid.col) + 1];
    const stop = table.querySelector('td[tabindex="0"]');
    if (stop !== chosen) {
      if (stop) {
        stop.tabIndex = -1;
        stop.removeAttribute('aria-selected');
      }
      chosen.tabIndex = 0;
    }
    set(chosen, 'aria-selected', grid.row >= 0 ? 'true' : null);
    if (had && document.activeElement !== chosen) chosen.focus();
  }

  // ---- what is only read -------------------------------------------------------------------------------------

  function makeText(target) {
    const heading = target.role === 'heading';
    const section = document.createElement(heading ? 'h2' : 'section');
    // What changes is spoken once, by #live.
    if (!heading && target.role !== 'text') section.setAttribute('role', target.role === 'status' ? 'group' : target.role);
    section.append(document.createElement(heading ? 'span' : 'p'));
    return section;
  }

  function keepText(section, target) {
    if (target.role === 'heading' || target.role === 'text') {
      setText(section.firstChild, target.value || target.label);
    } else {
      set(section, 'aria-label', target.label);
      setText(section.firstChild, target.value);
    }
    place(section, target);
  }

  const kinds = {
    textbox: [makeField, keepField],
    grid: [makeGrid, keepGrid],
    button: [makeButton, keepButton],
    text: [makeText, keepText],
  };
  const kindOf = role => role === 'textbox' || role === 'grid' ? role : pressable.has(role) ? 'button' : 'text';

  // Puts the element after `previous`. The one with the focus is never moved: it would lose it. What lies between
  // moves away instead and finds its own place later.
  function order(element, previous) {
    if (previous.nextSibling === element) return;
    if (element.isConnected && element.contains(document.activeElement)) {
      while (previous.nextSibling !== element) root.append(previous.nextSibling);
    } else {
      root.insertBefore(element, previous.nextSibling);
    }
  }

  // Who takes the focus of an element that goes: who had it before a field or a menu took it, else what comes after
  // it, or before. Never a field: on a phone a keyboard would come up.
  function heirOf(element, alive) {
    const stays = e => e && alive.has(e.closest('[data-id]')?.dataset.id);
    const takes = e => stays(e) && e.matches('button, table');
    if (element.opener === document.body) return null;   // it came by the mouse
    if (stays(element.opener)) return element.opener;
    for (let e = element.nextElementSibling; e; e = e.nextElementSibling) if (takes(e)) return e;
    for (let e = element.previousElementSibling; e; e = e.previousElementSibling) if (takes(e)) return e;
    return null;
  }
  const giveFocus = element => (element.querySelector('td[tabindex="0"]') ?? element).focus();

  let published = [];

  function publish(targets) {
    published = targets;
    const alive = new Set(targets.map(t => t.id));
    const focused = document.activeElement.closest('[data-id]');
    const opened = [...nodes.values()].find(n => n.target.menu === 'open')?.target.id;
    const closes = opened && alive.has(opened) && targets.find(t => t.id === opened).menu !== 'open';
    const gone = focused && !alive.has(focused.dataset.id);
    const heir = !gone ? null : closes ? nodes.get(opened).element : heirOf(focused, alive);
    for (const [id, node] of nodes) {
      if (alive.has(id)) continue;
      node.element.remove();
      nodes.delete(id);
    }
    let previous = heading;
    let wantsFocus = null;
    for (const target of targets) {
      const kind = kindOf(target.role);
      let node = nodes.get(target.id);
      if (node && node.kind !== kind) {
        node.element.remove();
        node = null;
      }
      if (!node) {
        node = { kind, element: kinds[kind][0](target), target };
        node.element.dataset.id = target.id;
        nodes.set(target.id, node);
        if (target.wantsFocus) wantsFocus = node.element;
      }
      node.target = target;
      kinds[kind][1](node.element, target);
      order(node.element, previous);
      previous = node.element;
    }
    if (wantsFocus) {
      const opener = document.activeElement;
      for (const n of nodes.values()) if (n.element === wantsFocus || n.target.inMenu) n.element.opener = opener;
      giveFocus(wantsFocus);
    } else if (heir) {
      giveFocus(heir);
    }
  }

  // What a hand could hit: on the screen, and topmost at its centre.
  function targets() {
    return published.filter(t => t.reachable).map(t => {
      const { id, role, label, value, x, y, w, h, rows, cols } = t;
      return { id, role, label, value, x, y, w, h, ...(rows ? { rows, cols } : {}), ...(t.disabled ? { disabled: true } : {}) };
    });
  }

  return { start(program) { lab = program; }, publish, targets };
})();
