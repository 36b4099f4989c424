import { isOneOf } from '@usher/domain';
import { WrongSetting } from './read-setting.ts';

/** A further path of the loader, for pages with the snippet of another service. */
export interface ScriptAlias {
  /** The name of the object of that snippet in `window`. */
  global: string;
  /** The path, with `:token` in the place of the account token. */
  path: string;
}

/** Where the paths of this server begin. A test compares them with all routes. */
export const ownPaths = [
  ...['v3', 'script', 'app', 'docs', 'demo', 'media', 'openapi.json', 'openapi-dashboard.json', 'llms.txt'],
  ...['metrics', 'healthz', 'readyz'],
] as const;

/** What a script of another service cannot have as its global: a page would lose it, or go to another address. */
const namesOfPages = [
  ...['usher', 'window', 'self', 'top', 'parent', 'frames', 'document', 'location', 'navigation', 'history', 'screen'],
  ...['opener', 'external', 'closed', 'length', 'name', 'origin', 'status', 'event', 'customElements', 'localStorage'],
  ...['sessionStorage', 'indexedDB', 'caches', 'open', 'close', 'stop', 'print', 'alert', 'confirm', 'prompt', 'focus'],
  ...['blur', 'scroll', 'find', 'chrome', 'Element', 'HTMLElement', 'Node', 'Window', 'Document', 'XMLHttpRequest'],
] as const;

const NAME = 'USHER_SCRIPT_ALIAS';
const EXAMPLE = 'such as guide:/guide/:token.js';

/** Reads a list such as `guide:/guide/:token.js,helper:/h/:token/helper.js`. */
export function readScriptAliases(text: string | undefined): ScriptAlias[] {
  const aliases = (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(readAlias);
  const paths = aliases.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) < index);
  if (twice !== undefined) throw new WrongSetting(`${NAME} must have each path once: "${twice}" is there twice`);
  return aliases;
}

function readAlias(item: string): ScriptAlias {
  const [, global = '', path = ''] = /^([^:]*):(.*)$/s.exec(item) ?? [];
  const fail = (why: string): never => {
    throw new WrongSetting(`${NAME} must be <global>:<path with :token>, ${EXAMPLE}: ${why} in "${item}"`);
  };
  if (!/^[A-Za-z_$][\w$]{0,99}$/.test(global)) fail('the global is not a name of JavaScript');
  if (isOneOf(namesOfPages, global) || global in globalThis) fail('the global is a name that pages need');
  if (!/^(\/[\w.~:-]+)+$/.test(path) || path.length > 200)
    fail('the path has other characters than letters, digits and "/._~-"');
  if (path.split(':').length !== 2 || !/:token(?!\w)/.test(path)) fail('the path does not have :token once');
  const [, first = ''] = path.split('/');
  if (first.includes(':')) fail('the path begins with :token, where it would hide other paths');
  if (/\/\.{1,2}(\/|$)/.test(path)) fail('the path has a part that browsers remove');
  if (isOneOf(ownPaths, first)) fail(`"/${first}" belongs to Usher itself`);
  return { global, path };
}
