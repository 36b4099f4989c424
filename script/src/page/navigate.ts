import type { Cleanup } from '../kind.ts';

/** Tells whenever the page has another address without being loaded. */
export function onNavigate(navigated: (href: string) => void): Cleanup {
  let href = location.href;
  const look = () => {
    if (location.href === href) return;
    href = location.href;
    navigated(href);
  };
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation) return listen(navigation, 'currententrychange', look);

  const undo = [listen(window, 'popstate', look), listen(window, 'hashchange', look)];
  for (const name of ['pushState', 'replaceState'] as const) {
    const before = history[name];
    const patched: typeof before = function (this: History, ...given) {
      before.apply(this, given);
      // After the application: it is in the middle of its own navigation, and an error of ours is not to stop it.
      queueMicrotask(look);
    };
    history[name] = patched;
    undo.push(() => {
      // Somebody may have patched it since: theirs calls ours, and ours is harmless.
      if (history[name] === patched) history[name] = before;
    });
  }
  return () => {
    for (const one of undo) one();
  };
}

export function listen(
  target: EventTarget,
  type: string,
  handler: (event: Event) => void,
  options?: AddEventListenerOptions | boolean,
): Cleanup {
  const safe = (event: Event) => {
    try {
      handler(event);
    } catch (error) {
      console.debug('usher', error);
    }
  };
  target.addEventListener(type, safe, options);
  return () => target.removeEventListener(type, safe, options);
}
