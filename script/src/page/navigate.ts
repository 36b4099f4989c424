import type { Cleanup } from '../kind.ts';
import { listen } from './listen.ts';
import { runAll } from './run-all.ts';

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
      // The application is in the middle of its own navigation, and an error of the script must not stop it.
      queueMicrotask(check);
    };
    history[name] = patched;
    cleanups.push(() => {
      // If other code has patched the function since, that code still calls this function, which is harmless.
      if (history[name] === patched) history[name] = original;
    });
  }
  return () => runAll(cleanups);
}

/**
 * Returns the part of an address that identifies the page. Of the hash, only a path such as `#/list` counts, or a link
 * that shows an Experience. Other hashes name a place in the page, and many pages change them while they scroll.
 */
export function routeOf(href: string): string {
  return href.replace(/#(!?\/[^?]*|.*\busher=.*)?.*$/, '$1');
}
