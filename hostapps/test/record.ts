/** What `recordPage` has recorded. */
export interface Records {
  /** Events in Usher's elements that reached a listener of the application. */
  leaks: string[];
  /** The same for capture listeners on the window, which were there before Usher and cannot be kept from them. */
  unstoppable: string[];
  /** The number of animation frames, and the frames with a backdrop but no visible box. */
  frames: number;
  darkFrames: string[];
  /** The number of frames in which a backdrop was visible. */
  backdropFrames: number;
  loadedAt?: number;
}

/** Runs in the page before all other code. It records in `window.records` what the application notices of Usher. */
export function recordPage(): void {
  const records: Records = { leaks: [], unstoppable: [], frames: 0, darkFrames: [], backdropFrames: 0 };
  Object.assign(window, { records });
  const types = new Set(
    'keydown,keypress,keyup,beforeinput,input,change,pointerdown,pointerup,mousedown,mouseup,click,dblclick,auxclick,contextmenu,touchstart,touchend,focus,blur,focusin,focusout,copy,cut,paste,compositionstart,compositionend,submit,dragstart,selectstart'.split(
      ',',
    ),
  );
  const isOurs = (node: EventTarget) => (node as Element).localName === 'usher-layer';
  const note = (event: Event) => {
    if (!types.has(event.type) || !event.composedPath().some(isOurs)) return;
    const { currentTarget, eventPhase } = event;
    const name = (currentTarget as Element).localName ?? (currentTarget === window ? 'window' : 'document');
    const isFirst = currentTarget === window && eventPhase === Event.CAPTURING_PHASE;
    (isFirst ? records.unstoppable : records.leaks).push(`${event.type} at ${name}`);
  };

  type Listener = EventListenerOrEventListenerObject;
  const wrappers = new WeakMap<Listener, EventListener>();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    // The script of Usher may listen to its own events.
    if (!listener || !types.has(type) || new Error().stack?.includes('/script/files/'))
      return addEventListener.call(this, type, listener, options);
    const wrapper =
      wrappers.get(listener) ??
      function (this: EventTarget, event: Event) {
        note(event);
        return typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event);
      };
    wrappers.set(listener, wrapper);
    addEventListener.call(this, type, wrapper, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    removeEventListener.call(this, type, (listener && wrappers.get(listener)) ?? listener, options);
    removeEventListener.call(this, type, listener, options);
  };

  addEventListener.call(window, 'load', () => {
    records.loadedAt = performance.now();
  });
  const isVisible = (element: Element) => {
    const { width, height, left, top, right, bottom } = element.getBoundingClientRect();
    const isInWindow = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return width > 0 && height > 0 && isInWindow && element.checkVisibility({ visibilityProperty: true });
  };
  const sample = () => {
    records.frames++;
    for (const { shadowRoot } of document.querySelectorAll('usher-layer')) {
      const all = (name: string) => [...(shadowRoot?.querySelectorAll(name) ?? [])].filter(isVisible);
      if (all('.backdrop, .dim').length === 0) continue;
      records.backdropFrames++;
      if (all('.box').length === 0) records.darkFrames.push(`${Math.round(performance.now())} ms`);
    }
    requestAnimationFrame(sample);
  };
  requestAnimationFrame(sample);
}
