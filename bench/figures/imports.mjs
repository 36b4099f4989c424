import { drive } from '../load.mjs';
import { requestText, SECRET, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const MEGABYTE = 1_000_000;
const RATE = 5;

/**
 * A CSV file of new users: how long its dry run and its import take with a few page loads beside them, how much memory, and how much longer
 * these page loads take.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function imports(bench) {
  const rows = bench.quick ? 20_000 : 1_000_000;
  const usher = await startUsher(bench, await createStore(bench));
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  await usher.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' }, 201);
  const pageLoads = (/** @type {number} */ seconds) =>
    drive({
      ...{ port: usher.port, status: 200, rate: RATE, seconds, connections: 4 },
      request: (n) =>
        requestText('POST', '/v3/observe/visits', {
          ...{ account_token: account.token, uid: `page-user-${n % 100}`, href: 'http://localhost/' },
        }),
    });
  const calm = await pageLoads(bench.quick ? 2 : 20);
  const before = await usher.memory();
  const { id, bytes, seconds: uploading } = await upload(usher.port, rows);
  bench.note(`uploaded ${Math.round(bytes / MEGABYTE)} MB in ${uploading.toFixed(1)} s`);

  let most = 0;
  /** @type {number[]} */
  const latencies = [];
  const watching = setInterval(async () => {
    most = Math.max(most, await usher.memory());
  }, 500);
  const run = async (/** @type {boolean} */ dry_run) => {
    const start = performance.now();
    await usher.send('PATCH', `/v3/edit/imports/${id}`, { import_at: '$now', dry_run });
    let stats;
    do {
      const { latencies: some } = await pageLoads(bench.quick ? 1 : 5);
      latencies.push(...some);
      ({ stats } = JSON.parse(await usher.get(`/v3/edit/imports/${id}`)).import);
      bench.note(`${dry_run ? 'dry run' : 'import'}: ${stats.last_row} of ${rows} rows, ${stats.last_import_state}`);
    } while (stats.last_import_state !== 'completed' && stats.last_import_state !== 'error');
    if (stats.created_count !== rows) throw new Error(`It created ${stats.created_count} of ${rows} users`);
    return (performance.now() - start) / 1000;
  };
  const tried = await run(true);
  const imported = await run(false);
  clearInterval(watching);
  const sorted = latencies.sort((one, other) => one - other);
  const busyP99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  return [
    { value: imported, unit: 's' },
    { part: 'rate', value: rows / imported, unit: 'rows/s' },
    { part: 'upload', value: uploading, unit: 's' },
    { part: 'dry run', value: tried, unit: 's' },
    { part: 'memory', value: (most - before) / MEGABYTE, unit: 'MB' },
    { part: 'page loads.p99', value: busyP99, unit: 'ms' },
    { part: 'page loads.most', value: sorted.at(-1) ?? 0, unit: 'ms' },
    { part: 'page loads.quiet.p99', value: calm.p99, unit: 'ms' },
  ];
}

/**
 * @param {number} port
 * @param {number} rows
 */
async function upload(port, rows) {
  const parts = ['id,email,plan,seats,city,signed_up_at\n'];
  for (let n = 0; n < rows; n++)
    parts.push(`user-${n},user-${n}@example.com,${n % 3 ? 'pro' : 'free'},${n % 40},City ${n % 500},2029-01-02\n`);
  const file = new Blob(parts);
  const form = new FormData();
  form.append('name', 'People');
  form.append('kind', 'update_csv');
  const properties = ['email', 'plan', 'seats', 'city', 'signed_up_at'].map((name) => ({ name, prop: name }));
  form.append('properties', JSON.stringify([{ name: 'id', prop: 'uid' }, ...properties]));
  form.append('file', file, 'people.csv');
  const start = performance.now();
  const headers = { 'x-account-secret': SECRET };
  const response = await fetch(`http://127.0.0.1:${port}/v3/edit/imports`, { method: 'POST', headers, body: form });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`The upload was answered with ${response.status}: ${text}`);
  return { id: JSON.parse(text).import.id, bytes: file.size, seconds: (performance.now() - start) / 1000 };
}
