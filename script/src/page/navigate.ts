import type { Cleanup } from '../kind.ts';
import { runAll } from './run-all.ts';
import { safely } from './safely.ts';

/** Calls back when the address of the page changes without a page load. */
export function onNavigate(navigated: (href: string) => void): Cleanup {
  let href = location.href;
  const check = () => {
    if (location.href === href) return;
    href = location.href;
    navigated(href);
  };
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation) return listen(navigation, 'currententrychange', check);

  const cleanups = [listen(window, 'popstate', check), listen(window, 'hashchange', check)];
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    const patched: typeof original = function (this: History, ...args) {
      original.apply(this, args);
      // The application is in the middle of its own navigation, and an error of ours must not stop it.
      queueMicrotask(check);
    };
    history[name] = patched;
    cleanups.push(() => {
      // If somebody has patched it since, their function calls ours, which is harmless.
      if (history[name] === patched) history[name] = original;
    });
  }
  return () => runAll(cleanups);
}

/** Adds an event listener. An error that the handler throws does not reach the page. */
export function listen(
  target: EventTarget,
  type: string,
  handler: (event: Event) => void,
  options?: AddEventListenerOptions | boolean,
): Cleanup {
  const safeHandler = (event: Event) => safely(() => handler(event));
  target.addEventListener(type, safeHandler, options);
  return () => target.removeEventListener(type, safeHandler, options);
}
