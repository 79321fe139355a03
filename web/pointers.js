// Mouse, pen and fingers, as the program hears them: one that points, or two that pinch.
'use strict';

window.LabPointers = {
  listen(canvas, lab, page) {
    const DOWN = 0, MOVE = 1, UP = 2, CANCEL = 3, LEAVE = 4;

    // What is the lab's, as platform_web.cpp counts; the rest is the browser's: it zooms, and where the lab is a frame
    // in a page, that page scrolls.
    const PINCH = 1, SCROLL_UP = 2, SCROLL_DOWN = 4, DRAG = 8;
    let gestures = PINCH | SCROLL_UP | SCROLL_DOWN;
    page.gestures = bits => {
      gestures = bits;
      const scrolls = window !== window.top && !(bits & ~PINCH);
      canvas.style.touchAction = bits & PINCH ? 'none' : scrolls ? 'pan-y pinch-zoom' : 'pinch-zoom';
    };

    // Two fingers: neither of them points any more, until both are lifted.
    const fingers = new Map();
    let pinched = null;                       // where they were
    let own = false;                          // the program's to answer; else the browser zooms the page
    function spread() {
      const [a, b] = [...fingers.values()];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
    }
    function isPinch(kind, e, x, y) {
      if (e.pointerType !== 'touch') return false;
      if (kind === DOWN || (kind === MOVE && fingers.has(e.pointerId))) fingers.set(e.pointerId, { x, y });
      else if (kind !== MOVE) fingers.delete(e.pointerId);
      if (fingers.size === 2 && kind === DOWN) {
        lab.point(CANCEL, 0, 0, 1, 0);
        pinched = spread();
        own = !!(gestures & PINCH);
      } else if (fingers.size === 2 && kind === MOVE && pinched) {
        const now = spread();
        if (own) lab.pinch(now.x, now.y, now.x - pinched.x, now.y - pinched.y, now.apart / pinched.apart);
        pinched = now;
      }
      const is = pinched !== null;
      if (fingers.size === 0) pinched = null;
      return is;
    }

    const point = kind => e => {
      const box = canvas.getBoundingClientRect();
      const x = e.clientX - box.left;
      const y = e.clientY - box.top;
      if (kind === DOWN) canvas.setPointerCapture(e.pointerId);
      if (isPinch(kind, e, x, y) || !e.isPrimary) return;
      if (kind === DOWN && document.activeElement !== document.body) document.activeElement?.blur();
      // A second button comes as a move: what is held says more than what happened.
      lab.point(kind, x, y, e.pointerType === 'touch' ? 1 : 0, e.buttons & 1);
    };
    canvas.addEventListener('pointerdown', point(DOWN));
    canvas.addEventListener('pointermove', point(MOVE));
    canvas.addEventListener('pointerup', point(UP));
    canvas.addEventListener('pointercancel', point(CANCEL));
    canvas.addEventListener('pointerleave', point(LEAVE));
    // After a tap browsers send this too; it would take the focus from the field that the tap has opened.
    canvas.addEventListener('mousedown', e => e.preventDefault());
    canvas.addEventListener('contextmenu', e => e.preventDefault());
    canvas.addEventListener('wheel', e => {
      if (e.ctrlKey) return;                  // the browser's own zoom
      if (!(gestures & (e.deltaY < 0 ? SCROLL_UP : SCROLL_DOWN))) return;   // the page's around
      e.preventDefault();
      const line = e.deltaMode === 1 ? 33 : 1;
      lab.wheel(e.deltaX * line, e.deltaY * line);
    }, { passive: false });
  },
};
