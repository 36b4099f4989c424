import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../numbers.mjs';
import { SECRET, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const MEGABYTE = 1_000_000;
const MAX_FILE = 10 * 1024 * 1024;
const TIMES = 3;

/**
 * The translation file of 1,000 Experiences of 10 steps, downloaded and uploaded: seconds, memory, and how long others wait during
 * malicious files.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function translations(bench) {
  const count = bench.quick ? 20 : 1000;
  const store = await createStore(bench);
  const first = await startUsher(bench, store);
  for (let n = 0; n < count; n++) await first.post('/v3/edit/tours', tour(n), 201);
  await first.stop();
  const usher = await startUsher(bench, store);
  const address = `http://127.0.0.1:${usher.port}/v3/edit`;
  const headers = { 'x-account-secret': SECRET };
  await usher.get('/v3/edit/tours?limit=1');
  await pause(bench.quick ? 0 : 2000);
  const idle = await usher.memory();
  let most = idle;
  const watching = setInterval(async () => {
    most = Math.max(most, await usher.memory().catch(() => 0));
  }, 20);

  /** @param {string} query */
  const download = async (query) => {
    const began = performance.now();
    const response = await fetch(`${address}/tours/i18n?${query}`, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The download returned ${response.status}: ${text}`);
    return { text, seconds: (performance.now() - began) / 1000 };
  };
  /** @param {string | Blob} text */
  const upload = async (text) => {
    const body = new FormData();
    body.append('file', new Blob([text]), 'tours.yaml');
    const began = performance.now();
    const response = await fetch(`${address}/i18n`, { method: 'POST', headers, body });
    const content = /** @type {any} */ (await response.json());
    return { content, seconds: (performance.now() - began) / 1000 };
  };

  const downloads = [];
  for (let n = 0; n < TIMES; n++) downloads.push((await download('format=yaml')).seconds);
  const { text } = await download('format=yaml&language=de');
  bench.note(`${(text.length / MEGABYTE).toFixed(1)} MB, ${text.split('  text: ').length - 1} texts`);
  const changed = (/** @type {string} */ of, /** @type {number} */ n) =>
    of.replaceAll(/text: "(.)/g, `text: "${'ÄÖÜ'[n]}$1`).replaceAll(' # not translated', '');
  const uploads = [];
  for (let n = 0; n < TIMES; n++) {
    const { content, seconds } = await upload(changed(text, n));
    if (content.i18ns?.[0].errors.length !== 0) throw new Error(JSON.stringify(content));
    bench.note(`${content.i18ns[0].updated_count} texts uploaded in ${seconds.toFixed(2)} s`);
    uploads.push(seconds);
  }
  const maxOfUploads = most;
  // These are the texts of the authors, not of another language: each one is a separate Change.
  const overwrites = [];
  for (let n = 0; n < TIMES; n++) {
    const { content, seconds } = await upload(changed((await download('format=yaml')).text, n));
    bench.note(`${content.i18ns[0].updated_count} own texts uploaded in ${seconds.toFixed(2)} s`);
    overwrites.push(seconds);
  }
  clearInterval(watching);

  // The files are built before anyone waits, so that the time of this process does not count.
  const files = harmful().map((text) => new Blob([text]));
  let longest = 0;
  let hostile = true;
  const asking = (async () => {
    while (hostile) {
      const began = performance.now();
      await usher.get('/v3/edit/tours?limit=1');
      longest = Math.max(longest, performance.now() - began);
      await pause(2);
    }
  })();
  for (const file of files) await upload(file);
  hostile = false;
  await asking;
  return [
    { part: 'download', value: median(downloads), unit: 's', target: { most: 1 } },
    { part: 'upload', value: median(uploads), unit: 's', target: { most: 1 } },
    { part: 'overwrite', value: median(overwrites), unit: 's' },
    { part: 'memory', value: (maxOfUploads - idle) / MEGABYTE, unit: 'MB', target: { most: 100 } },
    { part: 'overwrite.memory', value: (most - idle) / MEGABYTE, unit: 'MB' },
    { part: 'harm', value: longest, unit: 'ms', target: { most: 250 } },
  ];
}

/** @param {number} n */
function tour(n) {
  const steps = Array.from({ length: 10 }, (_, at) => ({
    title: `Step ${at} of tour ${n}`,
    body: `Here is what you can do in this place, in a sentence or two, and why it is good for you (${n}.${at}).`,
    buttons: [{ text: 'Next' }, { text: 'Not now' }],
  }));
  return { name: `Tour ${n}`, steps };
}

/** Files that would take all memory or time if they were parsed without limits. */
function harmful() {
  return [
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]\n`).join('')}`,
    '['.repeat(MAX_FILE),
    '{'.repeat(MAX_FILE),
    '- '.repeat(MAX_FILE / 2),
    `id: ${'x'.repeat(MAX_FILE - 10)}`,
    `id: "${'\\"'.repeat(MAX_FILE / 2 - 10)}"`,
    Array.from({ length: 1_000_000 }, (_, n) => `k${n}:\n`).join(''),
    `{${Array.from({ length: 400_000 }, (_, n) => `"${n}":1`).join(',')}}`,
    '!!x '.repeat(MAX_FILE / 4),
  ];
}
