import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../scripts/chromium.mjs';

/*
 * A browser that is only traced. A test driver listens to every request, so the browser records the stack of the code that
 * starts one, which takes a third of the time of starting it.
 */

const flags =
  '--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --no-first-run --remote-debugging-pipe';

/** @param {import('./harness.mjs').Bench} bench */
export async function startBareBrowser(bench) {
  const profile = mkdtempSync(join(bench.folder, 'profile-'));
  const child = spawn(findChromium() ?? '', [...flags.split(' '), `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , input, output] =
    /** @type {[0, 0, 0, import('node:stream').Writable, import('node:stream').Readable]} */ (
      /** @type {unknown} */ (child.stdio)
    );
  await bench.cleanup.add(async () => {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  });
  /** @type {Map<unknown, (message: any) => void>} what waits for an answer, by its ID, or for an event, by its name */
  const waiting = new Map();
  let rest = '';
  output.setEncoding('utf8').on('data', (text) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages.map((one) => JSON.parse(one))) waiting.get(message.id ?? message.method)?.(message);
  });
  let last = 0;
  /** @type {(method: string, params?: object, sessionId?: string) => Promise<any>} */
  const send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });

  /**
   * Returns the trace of a page in a new tab, until the callback is done.
   * @param {string} url
   * @param {{ slower: number, isFirst: boolean, categories?: string[] }} how `isFirst`: nothing is in a cache
   * @param {Promise<unknown>} done
   * @returns {Promise<TraceEvent[]>}
   */
  const trace = async (url, { slower, isFirst, categories = ['devtools.timeline'] }, done) => {
    const context = isFirst ? await send('Target.createBrowserContext') : {};
    const { targetId } = await send('Target.createTarget', { url: 'about:blank', ...context });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    await send('Emulation.setCPUThrottlingRate', { rate: slower }, sessionId);
    /** @type {TraceEvent[]} */
    const events = [];
    waiting.set('Tracing.dataCollected', ({ params }) => events.push(...params.value));
    const complete = new Promise((resolve) => waiting.set('Tracing.tracingComplete', resolve));
    await send('Tracing.start', { traceConfig: { includedCategories: categories } });
    await send('Page.navigate', { url }, sessionId);
    await done;
    await send('Tracing.end');
    await complete;
    await send('Target.closeTarget', { targetId });
    if (isFirst) await send('Target.disposeBrowserContext', context);
    return events;
  };
  return { trace };
}

/** @typedef {{ name: string, ph: string, ts: number, dur?: number, tdur?: number, tid: number, pid: number, args: any }} TraceEvent */
