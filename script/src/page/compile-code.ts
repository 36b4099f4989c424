import { safely } from './safely.ts';

type AuthorFunction = (element: Element | null) => unknown;
export type CompileCode = (code: string) => AuthorFunction | undefined;

/**
 * Converts code that an author wrote to a function. The server sends code only while the account allows it. The code
 * runs in a script element with the nonce of the loader, because there is no other way without eval. Returns undefined
 * where the page's policy blocks that.
 */
export const compileCode: CompileCode = (code) => {
  const global = window as unknown as Record<string, unknown>;
  const script = document.createElement('script');
  script.nonce = nonce;
  script.text = createScript(`window.__usherCode=function(element){${code}\n}`);
  document.head.append(script);
  script.remove();
  const compiled = global.__usherCode;
  delete global.__usherCode;
  if (typeof compiled !== 'function') return undefined;
  return (element) => safely(() => compiled.call(window, element));
};

const nonce = (document.currentScript as HTMLScriptElement | null)?.nonce ?? '';

/** Uses a Trusted Types policy that only this file can reach. The policy of the loader creates no scripts from text. */
const createScript = ((): ((text: string) => string) => {
  const unchanged = (text: string) => text;
  try {
    const { trustedTypes } = window as {
      trustedTypes?: { createPolicy(name: string, rules: object): { createScript(text: string): string } };
    };
    const policy = trustedTypes?.createPolicy('usher-code', { createScript: unchanged });
    return policy ? (text) => policy.createScript(text) : unchanged;
  } catch {
    return unchanged;
  }
})();
