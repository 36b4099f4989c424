import type { Config } from './config.ts';
import { isOn } from './engine/host-hash.ts';

/* The file that a page loads. It is small, and it loads the rest only on hosts where the script is on. */

const TIMEOUT_MS = 10_000;

interface Policy {
  createScriptURL(address: string): string;
}

declare const window: Window & {
  __usher?: Config;
  /** The snippet has created this object. */
  usher: { q?: unknown[]; c?: Config; d?: DOMStringMap | undefined };
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
};

const config = window.__usher;
delete window.__usher;
window.usher ||= { q: [] };
// Markup of the page can give another element the name `currentScript`, but that element is not a script.
const { currentScript } = document;
const self =
  currentScript instanceof HTMLScriptElement ? (currentScript as HTMLScriptElement & { p?: Policy }) : undefined;
const url = config?.url ?? self?.src.replace(/\/script\/[^/?]*(\?.*)?$/, '');
if (config && url && !window.usher.c && (!config.hosts || isOn(config.hosts, location.hostname))) {
  const { files } = config;
  config.url = url;
  const addresses = Object.values(files).map(({ path }) => url + path);
  let policy: Policy = {
    // The addresses are fixed here, so the page cannot add one by changing the configuration.
    createScriptURL: (address) => {
      if (addresses.includes(address)) return address;
      throw address;
    },
  };
  // The package for bundlers has created the policy already, and there can be only one of this name.
  try {
    policy = self?.p ?? window.trustedTypes?.createPolicy('usher', policy) ?? policy;
  } catch {}
  const nonce = self?.nonce ?? '';
  delete self?.p;
  config.load = (module) =>
    new Promise((resolve, reject) => {
      const { path, integrity } = files[module] as Config['files']['core'];
      const address = policy.createScriptURL(url + path);
      const add = (name: 'link' | 'script', properties: object) =>
        document.head.append(
          Object.assign(document.createElement(name), {
            ...{ integrity, crossOrigin: 'anonymous', nonce, onerror: reject },
            ...properties,
          }),
        );
      // A script element delays the load event of the page until the server has responded. A preload does not. A browser remembers
      // a preload that failed, so the script element always follows.
      const onload = () => add('script', { src: address, onload: resolve });
      add('link', { rel: 'preload', as: 'script', href: url + path, onload, onerror: onload });
      setTimeout(reject, TIMEOUT_MS);
    });
  window.usher.c = config;
  // A page without the snippet says who the user is with attributes of this element.
  window.usher.d = self?.dataset;
  const start = () => config.load?.('core').catch(() => {});
  // A page that the browser loads in advance may never be seen.
  if ((document as Document & { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', start, { once: true });
  else start();
}
