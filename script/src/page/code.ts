import type { Config } from '../config.ts';

/**
 * Code that an owner of the account wrote: it comes only while the account allows it. It becomes a function by a script of
 * the page with the nonce of the loader, for there is no other way without eval; where the page's policy refuses that, there
 * is none.
 */
export function toFunction(
  code: string,
  { nonce = '', policy }: Config,
): ((element: Element | null) => unknown) | undefined {
  const home = window as unknown as Record<string, unknown>;
  const script = document.createElement('script');
  script.nonce = nonce;
  const text = `window.__usherCode=function(element){${code}\n}`;
  script.text = policy ? policy.createScript(text) : text;
  document.head.append(script);
  script.remove();
  const made = home.__usherCode;
  delete home.__usherCode;
  if (typeof made !== 'function') return undefined;
  return (element) => {
    try {
      return made.call(window, element);
    } catch (error) {
      console.debug('usher', error);
      return undefined;
    }
  };
}
