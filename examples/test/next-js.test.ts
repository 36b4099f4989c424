import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import { type Api, startApi } from '../../server/test/api.ts';
import { root } from '../../server/test/docs-examples.ts';
import { filesOf, readGuide } from './guide-files.ts';
import { findPort } from './product.ts';
import { type RunningProxy, started } from './proxies.ts';

/* The guide "Usher in Next.js": its files are a product with two pages, which is installed, built and opened. */

const run = promisify(execFile);
const VERSIONS = ['next@16', 'react@19', 'react-dom@19'];

/** What the guide leaves to the product. */
const productFiles = {
  'package.json': '{"private": true, "type": "module"}',
  'lib/session.js': `import { cookies } from 'next/headers';
export async function currentUser() {
  return (await cookies()).has('session') ? { id: '18821', firstName: 'Ann' } : null;
}`,
  'app/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'app/page.jsx': `import Link from 'next/link';
export default function Home() {
  return <Link href="/reports">Reports</Link>;
}`,
  'app/reports/page.jsx': `export default function Reports() {
  return <button data-tour="export">Export</button>;
}`,
};

let api: Api;
let browser: Browser;
let folder: string;
let site: RunningProxy;
beforeAll(async () => {
  api = await startApi({ inTest: false, env: { USHER_BASE_PATH: '/help' } });
  const { uid_secret } = (await api.post('/v3/edit/account/uid_secret')).body;
  await api.patch('/v3/edit/account', { require_uid_hash: true });
  await api.post('/v3/edit/tours', readFileSync(`${root}/examples/tour.json`, 'utf8'));
  folder = mkdtempSync(join(tmpdir(), 'usher-next-'));
  for (const [name, text] of Object.entries({ ...filesOf(readGuide('next-js')), ...productFiles })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { NODE_ENV, VITEST, ...rest } = process.env;
  const own = { USHER_URL: api.url, USHER_TOKEN: api.account.account_token, USHER_UID_SECRET: uid_secret };
  const options = { cwd: folder, env: { ...rest, ...own, NEXT_TELEMETRY_DISABLED: '1' } };
  const quiet = ['--install-links', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...quiet, ...VERSIONS, `usher-browser@file:${root}/script/dist/npm`], options);
  await run('npx', ['next', 'build'], options);
  const port = await findPort();
  const next = join(folder, 'node_modules/next/dist/bin/next');
  site = await started(
    spawn('node', [next, 'start', '--port', String(port)], { ...options, stdio: ['ignore', 'ignore', 'pipe'] }),
    port,
  );
  browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-gpu'] });
}, 400_000);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  await api?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

it('has all files in the guide', () => {
  expect(Object.keys(filesOf(readGuide('next-js'))).sort()).toEqual([
    ...['app/layout.jsx', 'app/usher.jsx', 'lib/usher-user.js', 'next.config.mjs', 'proxy.js'],
  ]);
});

it('shows a tour after a change of the route, with a strict policy and by the path of the product', async () => {
  const page = `http://localhost:${site.port}`;
  const context = await browser.newContext();
  try {
    const tab = await context.newPage();
    const problems: string[] = [];
    const visits: string[] = [];
    const elsewhere: string[] = [];
    tab.on('pageerror', (error) => problems.push(`${error}`));
    tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    tab.on('request', (request) => {
      if (!request.url().startsWith(page)) elsewhere.push(request.url());
      if (request.url().endsWith('/visits')) visits.push(request.postDataJSON().href);
    });
    // No one is signed in.
    const first = await tab.goto(page, { waitUntil: 'networkidle' });
    expect(first?.headers()['content-security-policy']).toContain("'strict-dynamic'");
    expect(visits).toEqual([]);
    await context.addCookies([{ name: 'session', value: '1', url: page }]);
    await tab.goto(page);
    await expect.poll(() => visits).toEqual([`${page}/`]);
    await tab.evaluate('window.isSamePage = true');
    await tab.getByRole('link', { name: 'Reports' }).click();
    await tab.getByRole('heading', { name: 'Your reports, Ann' }).waitFor();
    expect(await tab.evaluate('window.isSamePage')).toBe(true);
    expect(visits).toEqual([`${page}/`, `${page}/reports`]);
    await tab.getByRole('button', { name: 'Done', exact: true }).click();
    const completed = async () => (await api.get('/v3/edit/tours')).body.tours[0].stats.completed_count;
    await expect.poll(completed).toBe(1);
    expect([problems, elsewhere]).toEqual([[], []]);
  } finally {
    await context.close();
  }
});
