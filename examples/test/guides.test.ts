import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import { type Api, startApi } from '../../server/test/api.ts';
import { root } from '../../server/test/docs-examples.ts';
import { hasDebian, unpackDebianPackages } from './debian-packages.ts';
import { blockOf, filesOf, readGuide } from './guide-files.ts';
import { pageOf, queueSnippet, snippetFor, startProduct } from './product.ts';

/* The code of the guides for Rails, Django, plain HTML and Electron, in a browser and with a real server. */

const run = promisify(execFile);
const POLICY = (usher: string) =>
  `default-src 'self'; script-src 'self' ${usher}; connect-src 'self' ${usher}; img-src 'self' https: ${usher}`;

let api: Api;
let browser: Browser;
let env: NodeJS.ProcessEnv;
let product: Awaited<ReturnType<typeof startProduct>>;
let script: string;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  const { uid_secret } = (await api.post('/v3/edit/account/uid_secret')).body;
  await api.patch('/v3/edit/account', { require_uid_hash: true });
  const tour = readFileSync(`${root}/examples/tour.json`, 'utf8');
  expect((await api.post('/v3/edit/tours', tour)).status).toBe(201);
  env = { ...process.env, USHER_UID_SECRET: uid_secret };
  script = `${api.url}/script/${api.account.account_token}.js`;
  product = await startProduct({});
  browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-gpu'] });
});
afterAll(async () => {
  await browser?.close();
  product?.stop();
  await api?.stop();
});

/** Serves pages with a strict policy, and opens the first. Whatever goes wrong in the page fails the test. */
async function open(files: Record<string, string>): Promise<{ page: Page; requests: string[] }> {
  for (const [name, body] of Object.entries(files)) {
    const type = name.endsWith('.js') ? 'text/javascript' : name === '/me' ? 'application/json' : 'text/html';
    product.files[name] = { type, body, headers: { 'Content-Security-Policy': POLICY(api.url) } };
  }
  await api.send('DELETE', '/v3/edit/profiles/forget', { body: { uid: '18821' } });
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => problems.push(`${error}`));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  await page.goto(`http://localhost:${product.port}${Object.keys(files)[0]}`);
  return { page, requests };
}

const tour = (page: Page) => page.getByRole('heading', { name: 'Your reports, Ann' });
const BODY = '<button data-tour="export">Export</button>';
const withMeta = (meta: string) => pageOf(BODY).replace('<script', () => `${meta}<script`);
const visitsIn = (requests: string[]) => requests.filter((path) => path.endsWith('/visits')).length;

it('identifies the user of Rails', async () => {
  const files = filesOf(readGuide('rails'));
  const helper = files['app/helpers/usher_helper.rb'] ?? '';
  const call = 'include UsherHelper\nputs usher_user(Struct.new(:id, :first_name).new(18821, "Ann"))';
  const { stdout } = await run('ruby', ['-e', `${helper}\n${call}`], { env });
  const meta = `<meta name="usher-user" content="${stdout.trim().replaceAll('"', '&quot;')}">`;
  const code = blockOf(readGuide('rails'), 'js');
  const { page, requests } = await open({ '/reports': withMeta(meta), '/usher.js': `${snippetFor(script)}\n${code}` });
  await page.waitForLoadState('networkidle');
  expect(visitsIn(requests)).toBe(0);
  // Turbo sends this event after the page load, and again after each navigation.
  for (let count = 0; count < 2; count++) await page.evaluate("document.dispatchEvent(new Event('turbo:load'))");
  await tour(page).waitFor();
  expect(visitsIn(requests)).toBe(1);
  await page.evaluate(
    "document.querySelector('meta[name=usher-user]').remove(); document.dispatchEvent(new Event('turbo:load'))",
  );
  await tour(page).waitFor({ state: 'detached' });
});

it.skipIf(!hasDebian)('identifies the user of Django, whatever the name has in it', async () => {
  const packages = unpackDebianPackages(['python3-django', 'python3-asgiref', 'python3-sqlparse', 'python3-tz']);
  const folder = mkdtempSync(join(tmpdir(), 'usher-django-'));
  onTestFinished(() => {
    packages.remove();
    rmSync(folder, { recursive: true });
  });
  mkdirSync(join(folder, 'shop/templatetags'), { recursive: true });
  for (const name of ['shop/__init__.py', 'shop/templatetags/__init__.py']) writeFileSync(join(folder, name), '');
  const files = filesOf(readGuide('django'));
  writeFileSync(join(folder, 'shop/templatetags/usher_tags.py'), files['templatetags/usher_tags.py'] ?? '');
  const program = `
import django, sys, types
from django.conf import settings
from django.template import Context, Template
templates = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
settings.configure(INSTALLED_APPS=["shop"], TEMPLATES=templates, STATIC_URL="/")
django.setup()
person = lambda **values: types.SimpleNamespace(request=types.SimpleNamespace(user=types.SimpleNamespace(**values)))
show = lambda values: Template(sys.argv[1]).render(Context(vars(values)))
print(show(person(is_authenticated=False)).strip())
print("%%")
print(show(person(is_authenticated=True, pk=18821, first_name='Ann"><script>')))
`;
  const paths = [folder, join(packages.folder, 'usr/lib/python3/dist-packages')].join(':');
  const { stdout } = await run('python3', ['-c', program, blockOf(readGuide('django'), 'django')], {
    env: { ...env, PYTHONPATH: paths },
  });
  const [signedOut = '', signedIn = ''] = stdout.split('%%');
  expect(signedOut.trim()).toBe('<script src="/usher.js"></script>');
  const head = signedIn.replace('<script src="/usher.js"></script>', '');
  const code = blockOf(readGuide('django'), 'js');
  const { page } = await open({ '/reports': withMeta(head), '/usher.js': `${snippetFor(script)}\n${code}` });
  await page.getByRole('heading', { name: 'Your reports, Ann"><script>' }).waitFor();
});

describe('plain HTML', () => {
  const guide = readGuide('plain-html');
  const [, productCode = ''] = /`product.js`:\n\n```js\n(.*?)```/s.exec(guide) ?? [];
  const [, consentCode = ''] = /^```js\n(function loadUsher.*?)```/ms.exec(guide) ?? [];
  const signed = async () => {
    const code = readFileSync(`${root}/examples/sign-users/uid_hash.rb`, 'utf8');
    const { stdout } = await run('ruby', ['-e', `${code}\nputs uid_hash("18821")`], { env });
    return JSON.stringify({ uid: '18821', uid_hash: stdout.trim(), first_name: 'Ann' });
  };

  it('shows a tour, follows the address, and runs once if a tool runs the scripts again', async () => {
    const files = { '/reports': blockOf(guide, 'html'), '/usher.js': snippetFor(script), '/product.js': productCode };
    const { page, requests } = await open({ ...files, '/me': await signed() });
    await tour(page).waitFor();
    expect(visitsIn(requests)).toBe(1);
    await page.evaluate("document.head.append(Object.assign(document.createElement('script'), { src: '/usher.js' }))");
    await page.waitForLoadState('networkidle');
    expect([visitsIn(requests), await tour(page).count()]).toEqual([1, 1]);
    await page.evaluate("document.querySelector('[data-tour=export]').click()");
    const names = async () =>
      (await api.get('/v3/edit/event_names')).body.event_names.map((one: { name: string }) => one.name);
    await expect.poll(names).toContain('report_exported');
    await page.evaluate("history.pushState(null, '', '/other')");
    await expect.poll(() => visitsIn(requests)).toBe(2);
  });

  it('loads and sends nothing before the user agrees', async () => {
    const code = `${productCode}\n${consentCode.replace('/help/script/ACCOUNT_TOKEN.js', script)}`;
    const files = { '/reports': blockOf(guide, 'html'), '/usher.js': queueSnippet, '/product.js': code };
    const { page, requests } = await open({ ...files, '/me': await signed() });
    await page.waitForLoadState('networkidle');
    expect(requests.sort()).toEqual(['/me', '/product.js', '/reports', '/usher.js']);
    await page.getByRole('button', { name: 'Allow tours and tips' }).click();
    await tour(page).waitFor();
  });

  it('shows nothing in a page of a folder, and says why', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'usher-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'usher.js'), `${snippetFor(script)}\nusher.identify('18821');`);
    writeFileSync(join(folder, 'page.html'), pageOf(BODY).replace('/usher.js', 'usher.js'));
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const said = page.waitForEvent('console');
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    expect((await said).text()).toContain('is not enabled, so nothing shows here');
  });
});

describe('Electron', () => {
  it('has a main file that can be parsed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'usher-electron-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'main.cjs');
    writeFileSync(file, filesOf(readGuide('electron'))['main.js'] ?? '');
    await run('node', ['--check', file]);
  });

  it('has pages that the server accepts with a scheme of their own, and not from files', async () => {
    await api.patch('/v3/edit/account', { require_uid_hash: false });
    onTestFinished(async () => void (await api.patch('/v3/edit/account', { require_uid_hash: true })));
    const { url } = (await api.post('/v3/edit/urls', { host: 'desktop.example.com', enabled: 'on' })).body;
    onTestFinished(async () => void (await api.send('DELETE', `/v3/edit/urls/${url.id}`)));
    const visit = (href: string, origin: string) => {
      const body = { account_token: api.account.account_token, uid: '7', href };
      return api.post('/v3/observe/visits', body, { as: null, headers: { Origin: origin } });
    };
    const inApp = await visit('app://desktop.example.com/reports', 'app://desktop.example.com');
    expect(inApp.status).toBe(200);
    expect(inApp.body.experiences).toHaveLength(1);
    expect((await visit('app://other.example.com/', 'app://other.example.com')).status).toBe(403);
    expect((await visit('file:///reports', 'null')).status).toBe(403);
  });
});
