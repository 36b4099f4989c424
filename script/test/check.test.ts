import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressOf } from '../../server/src/cli/check/check-pages.ts';
import { runCheck } from '../../server/src/cli/check-command.ts';
import { type Api, startApi } from '../../server/test/api.ts';
import { commandsIn } from '../../server/test/docs-examples.ts';
import { askAsPage, makePick, openPick, RESULT } from '../../server/test/picking.ts';
import { HOST, newUid, openDomain, visit } from '../../server/test/visiting.ts';

/** What the build of the customer answers at each path. */
const pages = new Map<string, { body: string; headers?: Record<string, string>; status?: number }>();
const cookies: (string | undefined)[] = [];
const paths: string[] = [];
const site = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://site');
  cookies.push(request.headers.cookie);
  paths.push(pathname);
  const page = pages.get(pathname) ?? { body: 'Not found', status: 404 };
  response
    .writeHead(page.status ?? 200, { 'Content-Type': 'text/html; charset=utf-8', ...page.headers })
    .end(`<!doctype html><html lang="en"><title>A page</title><body>${page.body}</body></html>`);
});

let api: Api;
let url = '';
let folder = '';
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'usher-check-'));
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await rm(folder, { recursive: true });
  await api.stop();
});
beforeEach(async () => {
  pages.clear();
  cookies.length = paths.length = 0;
  await api.replaceAccounts();
  await openDomain(api);
});

const env = () => ({ ...process.env, USHER_URL: api.url, ACCOUNT_SECRET: api.account.account_secret });

async function run(...args: string[]) {
  const output = { out: '', err: '' };
  const code = await runCheck(['--url', url, '--wait', '1', ...args], env(), {
    print: (text) => {
      output.out += text;
    },
    printError: (text) => {
      output.err += text;
    },
  });
  return { code, ...output };
}

const at = (selector: string, fields: object = {}) => ({
  ...{ title: 'Hello', position_type: 'snap_to_element', elements: [{ selector }] },
  ...fields,
});
const on = (path: string) => ({ quantifier_urls: [{ url: path }] });

async function createTour(name: string, ...steps: object[]) {
  const { status, body } = await api.post('/v3/edit/tours', { name, steps, published_at: '$now' });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour as { id: string; steps: { id: string }[] };
}

/** A user loads a page, and sees a step of a tour there. */
async function load(path: string, seen?: { experience_id: string; step_id: string }) {
  const { body } = await visit(api, { uid: newUid(), href: `https://${HOST}${path}` });
  if (!seen) return;
  const items = [{ ...seen, state: 'started' }];
  const report = { visit_token: body.visit.token, items };
  expect((await api.post('/v3/observe/interactions', report, { as: null })).status).toBe(200);
}

const toolbar =
  '<main><div class="toolbar"><button class="toolbar__save" data-testid="save">Save all</button></div></main>';

describe('usher check', () => {
  it('finds the elements of what is live in a build, with how many people saw each step last week', async () => {
    pages.set('/reports', { body: toolbar });
    const tour = await createTour('Reports', at('[data-testid="save"]', on('/reports')), at('.toolbar'));
    await load('/reports', { experience_id: tour.id, step_id: tour.steps[0]?.id ?? '' });
    await load('/reports');
    expect(await run()).toEqual({
      code: 0,
      err: '',
      out: `2 steps of 1 Experience, on 1 page of ${url}

Found
  Reports, step 1 “Hello”  /reports  1 person last week
  Reports, step 2 “Hello”  /reports  0 people last week
`,
    });
  });

  it('is stopped by no page: one that is busy, goes on for ever, opens pages, downloads or leads to another host', async () => {
    const scripts = {
      '/busy': 'setTimeout(() => { for (;;); }, 300)',
      '/reload': 'addEventListener("load", () => setTimeout(() => location.reload(), 20))',
      '/alerts': 'onbeforeunload = () => "stay"; setInterval(() => alert("hello"), 50)',
      '/popups': 'setInterval(() => open("/popups"), 50)',
      '/file': 'location.href = "file:///etc/passwd"',
    };
    for (const [path, script] of Object.entries(scripts)) {
      pages.set(path, { body: `<button id="there">A</button><script>${script}</script>` });
      await createTour(path, at('#there', on(path)), at('#gone'));
    }
    pages.set('/last', { body: toolbar });
    await createTour('Last', at('.toolbar', on('/last')));
    const { code, out, err } = await run();
    expect([code, err]).toEqual([2, '']);
    expect(out.slice(out.indexOf('Found\n'))).toContain('Last, step 1');
    expect(out).toContain('the page could not be checked: it did not answer');
  }, 120_000);

  it('opens only pages of the build, and repeats no password of its address', async () => {
    expect(addressOf('//evil.example/x', 'http://localhost:3000').href).toBe('http://localhost:3000/evil.example/x');
    expect(addressOf('/\\evil.example', 'http://localhost:3000/app').host).toBe('localhost:3000');
    pages.set('/reports', { body: toolbar });
    await createTour('Reports', at('.toolbar', on('/reports')));
    const json = join(folder, 'password.json');
    const { code, out } = await run('--url', url.replace('//', '//ann:hunter2@'), '--json', json);
    expect(code).toBe(0);
    expect(out + (await readFile(json, 'utf8'))).not.toContain('hunter2');
  });

  it('waits for an element that appears late, also in a page with a strict policy', async () => {
    const late = `<script nonce="a">setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<button id="late">Late</button>'),400)</script>`;
    pages.set('/', { body: late, headers: { 'Content-Security-Policy': "default-src 'none'; script-src 'nonce-a'" } });
    await createTour('Late', at('#late', on('/')));
    expect(await run()).toMatchObject({ code: 0, err: '' });
  });

  it('says what is wrong with each step, in the words of the dashboard, and fails for what is missing', async () => {
    const dialog = '<div role="dialog" style="position:fixed;inset:0;background:#fff">News</div>';
    pages.set('/reports', { body: `${toolbar}<p class="tip">a</p><p class="tip">b</p><p id="hidden" hidden>c</p>` });
    pages.set('/covered', { body: `<button id="below">Below</button>${dialog}` });
    const fallback = {
      elements: [{ selector: '#old-save' }, { selector: '.toolbar__save' }, { selector: 'button', text: 'Save all' }],
    };
    await createTour(
      'All',
      ...[
        at('#gone', on('/reports')),
        at('#hidden'),
        at('', fallback),
        at('.tip'),
        at('.toolbar__save', { elements: [{ selector: '.toolbar__save', text: 'Store' }] }),
        at('#below', on('/covered')),
      ],
    );
    const { code, out } = await run();
    expect(code).toBe(2);
    expect(out).toBe(`6 steps of 1 Experience, on 2 pages of ${url}

Missing
  All, step 1 “Hello”  /reports  0 people last week
      The element is not on the page.
      looked for #gone
  All, step 2 “Hello”  /reports  0 people last week
      The element is hidden.
      looked for #hidden
  All, step 5 “Hello”  /reports  0 people last week
      The element has another text.
      looked for .toolbar__save “Store”

Covered
  All, step 6 “Hello”  /covered  0 people last week
      Something covers the element.
      looked for #below

Several elements match
  All, step 4 “Hello”  /reports  0 people last week
      Several elements match.
      looked for .tip

Found by some descriptions only
  All, step 3 “Hello”  /reports  0 people last week
      no longer: #old-save
      still: .toolbar__save, button “Save all”
      proposed: [data-testid="save"] or .toolbar__save or button “Save all” or [data-testid="save"] “Save all”

To write what is proposed into the drafts, run it again with --propose.
`);
  });

  it('passes with a fallback, and fails with --strict', async () => {
    pages.set('/', { body: toolbar });
    await createTour(
      'Fallback',
      at('', { ...on('/'), elements: [{ selector: '#old' }, { selector: '.toolbar__save' }] }),
    );
    expect(await run()).toMatchObject({ code: 0 });
    expect(await run('--strict')).toMatchObject({ code: 2 });
  });

  it('says that an element is found by its place only, which fails nothing', async () => {
    pages.set('/', { body: toolbar });
    await createTour('Placed', at('main > div:nth-of-type(1)', on('/')));
    expect(await run('--strict')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Found by its place only: it may be another element\n  Placed, step 1'),
    });
  });

  it('never says that a step is missing whose page it has not reached', async () => {
    pages.set('/home', { body: toolbar });
    pages.set('/account', { body: '', status: 302, headers: { Location: '/login' } });
    pages.set('/login', { body: '<form></form>' });
    await load('/users/5fb70dcbc39330000325a818');
    const open = {
      buttons: [{ text: 'Open', additional_actions: ['element_click'], action_element: { selector: 'a' } }],
    };
    await createTour('Opened', at('.toolbar', { ...on('/home'), ...open }), at('#in-dialog'));
    await createTour('Signed in', at('#profile', on('/account')));
    await createTour('Broken', at('#any', on('/broken')));
    await createTour('User', at('#name', on('/users/*')));
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out).toContain(
      'step 2 “Hello”  /home  0 people last week\n      users must click something on the page before',
    );
    expect(out).toContain('/account leads to /login: is --storage-state missing?');
    expect(out).toContain('the page answered 404');
    expect(out).toContain('users visit pages such as /users/*: name one with --path');
    expect(out).not.toContain('Missing');
    pages.set('/users/7', { body: '<h1 id="name">Ann</h1>' });
    expect((await run('--path', '/users/7')).out).toContain('User, step 1 “Hello”  /users/7');
  });

  it('is an error if no step could be checked', async () => {
    await createTour('Nowhere', at('#any', on('/broken')));
    expect(await run()).toMatchObject({ code: 1, err: 'usher: no step could be checked: no page was reached\n' });
  });

  it('opens visited pages until it finds the element of a step on every page', async () => {
    pages.set('/home', { body: '<p>Home</p>' });
    pages.set('/reports', { body: toolbar });
    for (const path of ['/home', '/home', '/reports']) await load(path);
    await createTour('Anywhere', at('.toolbar__save'));
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('step 1 “Hello”  /reports') });
  });

  it('uses the sign-in of a file', async () => {
    pages.set('/', { body: toolbar });
    await createTour('Home', at('.toolbar', on('/')));
    const file = join(folder, 'auth.json');
    const cookie = { name: 'session', value: 'ann', domain: '127.0.0.1', path: '/', expires: -1 };
    const flags = { httpOnly: true, secure: false, sameSite: 'Lax' };
    await writeFile(file, JSON.stringify({ cookies: [{ ...cookie, ...flags }], origins: [] }));
    expect(await run('--storage-state', file)).toMatchObject({ code: 0 });
    expect(cookies).toContain('session=ann');
  });

  it('checks what was published, and not the draft', async () => {
    pages.set('/', { body: toolbar });
    const tour = await createTour('Home', at('.toolbar', on('/')));
    await api.patch(`/v3/edit/tours/${tour.id}/steps/${tour.steps[0]?.id}`, { elements: [{ selector: '#new' }] });
    await api.post('/v3/edit/tours', { name: 'Draft', steps: [at('#draft', on('/'))] });
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('1 step of 1 Experience') });
  });

  it('is no user: requests of the snippet to Usher are stopped', async () => {
    const call = `fetch('/v3/observe/visits',{method:'POST'}).catch(()=>{document.body.id='stopped'})`;
    pages.set('/', { body: `<script>${call}</script>` });
    await createTour('Home', at('#stopped', { ...on('/'), position_type: 'inline' }));
    expect(await run()).toMatchObject({ code: 0 });
    expect(paths).toContain('/');
    expect(paths).not.toContain('/v3/observe/visits');
  });

  it('writes JSON, JUnit and pictures, with the place where the element was', async () => {
    pages.set('/reports', { body: toolbar });
    const tour = await createTour('Tom & "Jerry"', at('#gone', on('/reports')), at('.toolbar'));
    const [step_id = ''] = tour.steps.map(({ id }) => id);
    const pick = await makePick(api, api.account, { experience_id: tour.id, step_id });
    const pick_token = await openPick(api, api.account, pick);
    await askAsPage(api, '/result', { pick_token, href: `https://${HOST}/dashboard`, result: RESULT });
    expect((await api.post(`/v3/edit/picks/${pick.id}/sketch`, {})).status).toBe(200);
    const [json, junit, pictures] = ['check.json', 'check.xml', 'pictures'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    expect((await run('--json', json, '--junit', junit, '--pictures', pictures)).code).toBe(2);
    const picture = join(pictures, `${tour.id}-1.png`);
    expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
      ...{ url, pages: 1, failed: true, counts: { found: 1, missing: 1, not_reached: 0 } },
      steps: [
        { experience_id: tour.id, step_id, state: 'missing', reason: 'not_found', path: '/reports', picture },
        { number: 2, state: 'found', people_last_week: 0, picture: null },
      ],
    });
    expect(await readFile(junit, 'utf8')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="usher check" tests="2" failures="1" errors="0" skipped="0">
  <testsuite name="Tom &amp; &quot;Jerry&quot;" tests="2" failures="1" errors="0" skipped="0">
    <testcase classname="usher" name="Tom &amp; &quot;Jerry&quot;, step 1 “Hello”"><failure message="Missing">The element is not on the page.&#10;looked for #gone</failure></testcase>
    <testcase classname="usher" name="Tom &amp; &quot;Jerry&quot;, step 2 “Hello”"></testcase>
  </testsuite>
</testsuites>
`);
    expect((await stat(picture)).size).toBeGreaterThan(1000);
  });

  it('writes a proposal into the draft only with --propose, and never over what somebody has changed', async () => {
    pages.set('/', { body: toolbar });
    const elements = [{ selector: '#old' }, { selector: '.toolbar__save' }, { selector: 'button', text: 'Save all' }];
    const tour = await createTour('Home', at('', { ...on('/'), elements }));
    const stepPath = `/v3/edit/tours/${tour.id}/steps/${tour.steps[0]?.id}`;
    const selectors = async () =>
      (await api.get(stepPath)).body.step.elements.map((one: { selector: string }) => one.selector);
    await run();
    expect(await selectors()).toEqual(['#old', '.toolbar__save', 'button']);
    expect(await run('--propose')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Home, step 1 “Hello”: changed in the draft: look at it and publish it'),
    });
    expect((await selectors())[0]).toBe('[data-testid="save"]');
    expect((await run('--propose')).out).toContain('the draft already has another element');
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
    expect((await run()).out).toContain('Found\n');
  });

  it('explains wrong options and a build that does not run, with 1 and not with the code of a missing step', async () => {
    expect(await run('--storage-state', '/no/file')).toMatchObject({ code: 1 });
    expect(await run('--path', 'team')).toMatchObject({ code: 1, err: 'usher: --path must begin with /: team\n' });
    expect(await run('--unknown')).toMatchObject({ code: 1, err: expect.stringContaining("'--unknown'") });
    expect((await run('--url', 'localhost')).err).toContain('give --url, the address of your build');
    expect((await run('--secret', 'wrong')).err).toContain('usher: ');
    await createTour('Home', at('.toolbar', on('/')));
    const stopped = createServer();
    await new Promise<void>((done) => stopped.listen(0, '127.0.0.1', done));
    const { port } = stopped.address() as AddressInfo;
    await new Promise((done) => stopped.close(done));
    expect(await run('--url', `http://127.0.0.1:${port}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`http://127.0.0.1:${port} cannot be opened: does your build run there?`),
    });
  });

  it('says how to install playwright-core, which nothing else needs', async () => {
    await createTour('Home', at('.toolbar', on('/')));
    const hook = `export const resolve=(name,context,next)=>{if(name==='playwright-core')throw new Error('none');return next(name,context)}`;
    const register = `import{register}from'node:module';register(${JSON.stringify(`data:text/javascript,${hook}`)})`;
    const usher = fileURLToPath(new URL('../../server/bin/usher.js', import.meta.url));
    const args = ['--import', `data:text/javascript,${encodeURIComponent(register)}`, usher, 'check', '--url', url];
    const failed = await promisify(execFile)(process.execPath, args, { env: env() }).catch((error) => error);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      'usher: playwright-core is not installed, and this command opens pages with it: npm install --save-dev playwright-core\n',
    ]);
  });

  it('proposes the element that two descriptions or their pieces lead to, and none if there is a doubt', async () => {
    const wanted = (...elements: object[]) => at('', { ...on('/'), elements });
    const team = '<a class="nav__team" href="/people">Team</a>';
    const others = '<a class="foot__more" title="Old">More</a><a class="foot__old">Other</a>';
    pages.set('/', { body: `${toolbar}<nav>${team}</nav><footer>${others}</footer>` });
    await createTour('Renamed', wanted({ selector: 'button.nav__team[href="/people"]' }));
    await createTour('Elsewhere', wanted({ selector: '#side .nav__team' }, { selector: '#side [href="/people"]' }));
    await createTour('Split', wanted({ selector: 'button.foot__old[title="Old"]' }));
    await createTour('Other text', wanted({ selector: '.nav__team' }, { selector: 'a', text: 'People' }));
    const json = join(folder, 'proposals.json');
    expect((await run('--json', json)).code).toBe(2);
    const { steps } = JSON.parse(await readFile(json, 'utf8'));
    const proposals = steps.map((step: Record<string, unknown>) => [step.experience, step.state, step.proposal]);
    expect(Object.fromEntries(proposals.map(([name, ...rest]: unknown[]) => [name, rest]))).toEqual({
      Renamed: ['missing', expect.arrayContaining([{ selector: '.nav__team' }])],
      Elsewhere: ['missing', null],
      Split: ['missing', null],
      'Other text': ['fallback', null],
    });
  });

  it('needs only a secret that may read', async () => {
    pages.set('/', { body: toolbar });
    await createTour('Home', at('.toolbar', on('/')));
    const { body } = await api.post('/v3/edit/secrets', { name: 'CI', scope: 'read' });
    expect(await run('--secret', body.secret.secret)).toMatchObject({ code: 0, err: '' });
  });
});

describe('guide: Check selectors in CI', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const guide = 'docs/guides/check-selectors-in-ci.md';
  const examples = ['github-actions', 'gitlab-ci'].map((name) => `examples/check-in-ci/${name}.yml`);

  it('has commands and examples of CI that run', async () => {
    pages.set('/', { body: toolbar });
    await createTour('Home', at('.toolbar', on('/')));
    const place = await mkdtemp(join(tmpdir(), 'usher-check-guide-'));
    await symlink(join(root, 'node_modules'), join(place, 'node_modules'));
    await writeFile(join(place, 'auth.json'), '{"cookies":[],"origins":[]}');
    const texts = await Promise.all(examples.map((file) => readFile(join(root, file), 'utf8')));
    const inExamples = texts.flatMap((text) => /npx usher .*/.exec(text)?.[0] ?? []);
    const blocks = [...commandsIn(guide), ...new Set(inExamples)];
    expect(blocks.length).toBeGreaterThan(5);
    for (const block of blocks) {
      const command = block.replaceAll('http://localhost:3000', url);
      const { stdout } = await promisify(execFile)('bash', ['-ec', command], { cwd: place, env: env() });
      expect(stdout).toContain('1 step of 1 Experience, on 1 page of');
    }
    await rm(place, { recursive: true });
  }, 120_000);
});
