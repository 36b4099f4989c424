import type { Usher } from './index.d.ts';
import './snippet.js';

/* The package for bundlers. It has only the snippet; the rest comes from the server, so that it fits the version of the server. */

interface Policy {
  createScriptURL(url: string): string;
}
const global = globalThis as unknown as {
  /** The snippet has created this object, here or in the page. */
  usher: Usher;
  usherLoads?: boolean;
  trustedTypes?: { createPolicy(name: string, rules: object): Policy };
};
const isBrowser = typeof document !== 'undefined';

export function init(
  token: string,
  { url, nonce = '', ...options }: { url: string; nonce?: string; storage?: 'session' | 'none' },
) {
  const { usher } = global;
  if (!isBrowser || global.usherLoads) return usher;
  global.usherLoads = true;
  usher.init(options);
  const script = document.createElement('script');
  script.async = true;
  script.nonce = nonce;
  const base = `${url.replace(/\/$/, '')}/script/`;
  const address = `${base}${encodeURIComponent(token)}.js`;
  const createScriptURL = (candidate: string) => {
    // Only the loader and the files that it loads are allowed.
    if (candidate.startsWith(base) && /^(files\/)?[\w.~%-]+\.js$/.test(candidate.slice(base.length))) return candidate;
    throw candidate;
  };
  let policy: Policy | undefined;
  try {
    policy = global.trustedTypes?.createPolicy('usher', { createScriptURL });
  } catch {}
  // There can be only one policy of this name. The loader takes it from its element, where the page cannot reach it.
  Object.assign(script, { p: policy });
  script.src = policy ? policy.createScriptURL(address) : address;
  // A script element delays the load event of the page until the server has responded. A preload does not.
  const preload = document.createElement('link');
  Object.assign(preload, { rel: 'preload', as: 'script', nonce, href: address });
  preload.onload = preload.onerror = () => document.head.append(script);
  document.head.append(preload);
  return usher;
}

/** The result of each call outside of a browser, where nothing shows and nothing is queued. */
const onServer: { [Name in Exclude<keyof Usher, 'init' | 'data'>]: () => ReturnType<Usher[Name]> } = {
  identify: () => {},
  track: () => {},
  set: () => {},
  show: async () => ({ shown: false, reason: 'unavailable' }),
  next: () => {},
  previous: () => {},
  close: () => {},
  isShowing: () => false,
  clear: () => {},
  on: () => () => {},
  once: () => () => {},
  off: () => {},
  before: () => () => {},
  debug: () => {},
  consent: () => {},
};

const usher: Record<string, unknown> = {
  init,
  get data() {
    return global.usher.data;
  },
};
for (const [name, call] of Object.entries(onServer))
  usher[name] = isBrowser
    ? (...args: unknown[]) => (global.usher[name as 'show'] as typeof call)(...(args as []))
    : call;
export default usher;
