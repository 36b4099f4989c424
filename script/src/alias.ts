import { createCalls } from './alias/create-calls.ts';
import { drainQueue } from './alias/drain-queue.ts';
import type { Config } from './config.ts';
import type { Usher } from './index.d.ts';
import { safely } from './page/safely.ts';
import './snippet.js';

/*
 * The server puts this before the loader at the path of an alias, for pages that still have the snippet of another service. It runs the
 * calls that the snippet has queued, and offers the calls of that service under its global. No other page loads it.
 */

declare const window: Window & {
  __usher?: Config;
  /** The snippet of Usher, which is part of this file, has created this object. */
  usher: Usher & { c?: Config; a?: string[] };
};

const { usher, __usher: config } = window;
const { global, path } = config?.alias ?? {};
const aliases = usher.a ?? [];
// A page may load the script twice. The second time would forget the handlers of the first.
if (config && global && path && !aliases.includes(global)) {
  usher.a = [...aliases, global];
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement)
    config.url ??= currentScript.src.replace(/[?#].*/, '').slice(0, -path.length);
  const { calls, data, navigate } = createCalls(usher, global);
  // The core reads the function there. If the page has loaded it already, this configuration is not used.
  (usher.c ?? config).navigate = navigate;
  const found = safely(() => (Object.hasOwn(window, global) ? window[global as never] : undefined)) as unknown;
  // An element of the page with this ID or in this variable is not the object of a snippet.
  const isObject = found && /^(object|function)$/.test(typeof found) && !(found instanceof Node);
  const queue = isObject ? (found as Record<string, unknown>) : undefined;
  if (queue) drainQueue(queue, calls);
  const others = queue && safely(() => queue.data as object);
  const offer = (target: object) => safely(() => Object.assign(target, calls, { data: { ...others, ...data } }));
  if (!(queue && offer(queue)) && !(found instanceof Node))
    // The object is missing or frozen, so the page gets another one. It may not allow that, either.
    safely(() => Object.assign(window, { [global]: offer({}) }));
}
