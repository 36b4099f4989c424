import type { Config } from './config.ts';
import { isOn } from './engine/host-hash.ts';

/* The file that a page loads. It takes little and does little: the rest comes only to pages that it is for. */

declare const window: Window & {
  __usher?: Config;
  /** What the snippet left; the package for bundlers also its policy. */
  usher: { q?: unknown[]; c?: Config; p?: Config['policy'] };
  trustedTypes?: { createPolicy(name: string, rules: object): NonNullable<Config['policy']> };
};

const config = window.__usher;
delete window.__usher;
window.usher ||= { q: [] };
// Markup of the page can give another element the name `currentScript`, but cannot make it a script.
const self = document.currentScript;
const own = self instanceof HTMLScriptElement ? self : undefined;
const url = config?.url ?? own?.src.replace(/\/script\/[^/?]*(\?.*)?$/, '');
if (config && url && !window.usher.c && (!config.hosts || isOn(config.hosts, location.hostname))) {
  config.url = url;
  const same = (text: string) => text;
  const rules = { createScriptURL: same, createScript: same };
  try {
    config.policy = window.usher.p ?? window.trustedTypes?.createPolicy('usher', rules) ?? rules;
  } catch {
    config.policy = rules;
  }
  config.nonce = own?.nonce ?? '';
  config.load = (part) =>
    new Promise((done, failed) => {
      const script = document.createElement('script');
      const { path, integrity } = config.files[part];
      script.integrity = integrity;
      script.crossOrigin = 'anonymous';
      script.nonce = config.nonce as string;
      script.onload = () => done();
      script.onerror = failed;
      document.head.append(script);
      script.src = (config.policy as typeof rules).createScriptURL(url + path);
    });
  window.usher.c = config;
  config.load('core').catch(() => {});
}
