/**
 * Code that an owner of the account wrote: it comes only while the account allows it. It becomes a function by a script of
 * the page with the nonce of the loader, for there is no other way without eval; where the page's policy refuses that, there
 * is none.
 */
export function toFunction(code: string): ((element: Element | null) => unknown) | undefined {
  const home = window as unknown as Record<string, unknown>;
  const script = document.createElement('script');
  script.nonce = nonce;
  script.text = createScript(`window.__usherCode=function(element){${code}\n}`);
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

export type ToFunction = typeof toFunction;

const nonce = (document.currentScript as HTMLScriptElement | null)?.nonce ?? '';

/** A policy of its own, which nothing but this file can reach: the one of the loader makes no scripts of texts. */
const createScript = ((): ((text: string) => string) => {
  const same = (text: string) => text;
  try {
    const { trustedTypes } = window as {
      trustedTypes?: { createPolicy(name: string, rules: object): { createScript(text: string): string } };
    };
    const made = trustedTypes?.createPolicy('usher-code', { createScript: same });
    return made ? (text) => made.createScript(text) : same;
  } catch {
    return same;
  }
})();
