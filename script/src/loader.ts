import type { Config } from './config.ts';
import { isOn } from './engine/host-hash.ts';

/* The file that a page loads. It takes little and does little: the rest comes only to pages that it is for. */

interface Policy {
  createScriptURL(address: string): string;
}

declare const window: Window & {
  __usher?: Config;
  /** What the snippet left. */
  usher: { q?: unknown[]; c?: Config };
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
};

const config = window.__usher;
delete window.__usher;
window.usher ||= { q: [] };
// Markup of the page can give another element the name `currentScript`, but cannot make it a script.
const self = document.currentScript;
const own = self instanceof HTMLScriptElement ? (self as HTMLScriptElement & { p?: Policy }) : undefined;
const url = config?.url ?? own?.src.replace(/\/script\/[^/?]*(\?.*)?$/, '');
if (config && url && !window.usher.c && (!config.hosts || isOn(config.hosts, location.hostname))) {
  const { files } = config;
  config.url = url;
  const addresses = Object.values(files).map(({ path }) => url + path);
  let policy: Policy = {
    // Known from the start: what the page does to the configuration makes no other address one of ours.
    createScriptURL: (address) => {
      if (addresses.includes(address)) return address;
      throw address;
    },
  };
  // The package for bundlers has made the policy: there can be one of this name.
  try {
    policy = own?.p ?? window.trustedTypes?.createPolicy('usher', policy) ?? policy;
  } catch {}
  const nonce = own?.nonce ?? '';
  delete own?.p;
  config.load = (part) =>
    new Promise((done, failed) => {
      const script = document.createElement('script');
      const { path, integrity } = files[part] as Config['files']['core'];
      script.integrity = integrity;
      script.crossOrigin = 'anonymous';
      script.nonce = nonce;
      script.onload = () => done();
      script.onerror = failed;
      script.src = policy.createScriptURL(url + path);
      document.head.append(script);
    });
  window.usher.c = config;
  config.load('core').catch(() => {});
}
