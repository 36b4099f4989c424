import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TourEvent } from '../src/index.d.ts';
import { at, call, dialog, uid, until, useHarness } from './browser.ts';
import { afterFrames } from './frames.ts';

/* Tests the calls of developers: `usher.show` and its promise, the control of what shows, listeners and hooks. */

const harness = useHarness();

const manual = { style: 'manual' };
/** A tour that does not start automatically on the page of the test. */
const elsewhere = { quantifier_urls: [{ url: '/elsewhere' }] };
const shown = { shown: true };
const not = (reason: string) => ({ shown: false, reason });
const read = <T>(page: Page, code: string) => page.evaluate<T>(code);
const show = (page: Page, id: string, options: object = {}) =>
  read(page, `usher.show(${JSON.stringify(id)},${JSON.stringify(options)})`);
/** Calls `usher.show` without waiting for it. `result` is its promise. */
const beginShow = (page: Page, id: string, options: object = {}) =>
  read(page, `window.result=usher.show(${JSON.stringify(id)},${JSON.stringify(options)});0`);
const result = (page: Page) => read(page, 'result');
/** Records the names of the script files that have run in `loadedModules`. */
const recordModules = (page: Page) =>
  read(
    page,
    'window.loadedModules=[];const register=usher.kind;usher.kind=(...part)=>{loadedModules.push(part[0]);register(...part)};0',
  );
/** Calls `usher.show` for a step that waits for its element, and returns when the step waits. */
const waitForShow = async (page: Page, id: string) => {
  await read(page, `window.waits=new Promise((done)=>usher.before('step',()=>done(1)));0`);
  await beginShow(page, id, { skip_triggers: false });
  await read(page, 'waits');
  await afterFrames(page, 2);
};
const ready = (page: Page) => page.waitForFunction(() => 'kind' in (window as never as { usher: object }).usher);
const stateOf = async (id: string) => (await harness.interactions(id)).map(({ state }) => state);
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

describe('the promise of `usher.show`', () => {
  it.each([
    ['tour', { steps: [{ title: 'Hello' }], ...manual }],
    ['survey', { steps: [{ title: 'Hello', preset: 'survey_nps' }], ...manual }],
    ['launcher', { title: 'Hello', items: [{ title: 'Docs', url: '/docs' }], ...elsewhere }],
    ['tooltip', { steps: [{ ...at('#b'), ...elsewhere }] }],
    ['embed', { steps: [{ ...at('#b'), position_type: 'inline', ...elsewhere }] }],
  ] as const)('resolves when the content of a %s is on the page', async (kind, fields) => {
    const { id } = await harness.create(kind, fields);
    const page = await harness.open({ body: '<button id=b>B</button>' }, { uid });
    await ready(page);
    const countPainted = `document.querySelector('usher-layer')?.shadowRoot.childElementCount??0`;
    const [outcome, painted, isShowing] = await read<unknown[]>(
      page,
      `usher.show('${id}').then(r=>[r,${countPainted},usher.isShowing('${id}')])`,
    );
    expect([outcome, isShowing]).toEqual([shown, true]);
    // A tooltip paints nothing before the user hovers over its element.
    if (kind !== 'tooltip') expect(painted).toBeGreaterThan(0);
  });

  it('resolves with the reason of the server', async () => {
    const segment = { name: 'Gold', items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'gold' }] };
    const { id: segment_id } = (await harness.api.post('/v3/edit/segments', segment)).body.segment;
    const forGold = await harness.createTour([{ title: 'Gold' }], { ...manual, segment_ids: [segment_id] });
    const there = await harness.createTour([{ title: 'There', quantifier_urls: [{ url: '/there' }] }], manual);
    const any = await harness.createTour([{ title: 'Any' }], manual);
    const page = await harness.open({}, { uid });
    expect(await show(page, any.id, { once: true })).toEqual(shown);
    await press(page, 'Done');
    await until(() => stateOf(any.id)).toEqual(['completed']);
    expect(await show(page, any.id, { once: true })).toEqual(not('seen'));
    expect(await show(page, forGold.id, { use_segmentation: true })).toEqual(not('segment'));
    expect(await show(page, there.id, { skip_url_match: false })).toEqual(not('other_page'));
    expect(await show(page, 'f'.repeat(24))).toEqual(not('not_live'));
    expect(await show(page, 'nonsense')).toEqual(not('not_live'));
    expect(await read(page, 'usher.show()')).toEqual(not('not_live'));
    await harness.api.post('/v3/observe/hooks/profiles', { uid, disabled: true });
    expect(await show(page, any.id)).toEqual(not('disabled'));
  });

  it('resolves after 5 seconds with what the step waits for', async () => {
    const waits = async (step: object) => (await harness.createTour([step], manual)).id;
    const ids = {
      no_element: await waits(at('#absent')),
      element_hidden: await waits(at('#hidden')),
      trigger: await waits({ title: 'Hello', secondary_trigger: 'click', elements: [{ selector: '#b' }] }),
      covered: await waits(at('#b')),
    };
    const body = `<button id=b>B</button><p id=hidden hidden>H</p><dialog><p>Mine</p></dialog>`;
    const page = await harness.open({ body, clock: true }, { uid });
    await ready(page);
    for (const [reason, id] of Object.entries(ids)) {
      if (reason === 'covered') await read(page, `document.querySelector('dialog').showModal()`);
      await Promise.all([page.waitForResponse(/\/shows$/), beginShow(page, id, { skip_triggers: false })]);
      await page.clock.runFor(4500);
      expect(await read(page, `Promise.race([result,Promise.resolve('pending')])`)).toBe('pending');
      await until(async () => {
        await page.clock.runFor(500);
        return read(page, `Promise.race([result,Promise.resolve('pending')])`);
      }).toEqual(not(reason));
    }
  });

  it('resolves as shown when the element of the step is missing, because an explicit request does not need it', async () => {
    const tour = await harness.createTour([at('#absent')], manual);
    const page = await harness.open({}, { uid });
    expect(await show(page, tour.id)).toEqual(shown);
  });

  it('resolves as `no_element` when a tooltip finds no element', async () => {
    const { id } = await harness.create('tooltip', { steps: [at('#absent')], ...manual });
    const page = await harness.open({ clock: true }, { uid });
    await ready(page);
    await recordModules(page);
    await beginShow(page, id);
    await until(() => read(page, 'loadedModules')).toContain('extras');
    await read(page, 'result.then((one)=>{window.outcome=one});0');
    await until(async () => {
      await page.clock.runFor(1000);
      return read(page, 'window.outcome');
    }).toEqual(not('no_element'));
    expect(await read(page, `usher.isShowing('${id}')`)).toBe(false);
  });

  it('resolves as `busy` when another request takes the slot', async () => {
    const tour = await harness.createTour([at('#absent')], manual);
    const page = await harness.open({ body: '<i></i>' }, { uid });
    await ready(page);
    await waitForShow(page, tour.id);
    expect(await show(page, tour.id)).toEqual(shown);
    expect(await result(page)).toEqual(not('busy'));
  });

  it('resolves as `redirected` when the page goes to another address', async () => {
    const tour = await harness.createTour([{ title: 'There' }], manual);
    const page = await harness.open({}, { uid });
    await ready(page);
    expect(await show(page, tour.id, { redirect: '#/there' })).toEqual(not('redirected'));
    await dialog(page, 'There').waitFor();
    expect(await show(page, tour.id, { redirect: 'http://[' })).toEqual(shown);
  });

  it('resolves as `cleared` when the user signs out', async () => {
    const tour = await harness.createTour([at('#absent')], manual);
    const page = await harness.open({}, { uid });
    await ready(page);
    await waitForShow(page, tour.id);
    await call(page, 'clear');
    expect(await result(page)).toEqual(not('cleared'));

    await call(page, 'identify', `${uid} b`);
    let release = () => {};
    harness.beforeRequest = (path) =>
      path.endsWith('/shows')
        ? new Promise((resolve) => {
            release = resolve;
          })
        : undefined;
    await beginShow(page, tour.id);
    await until(() => harness.requests.filter((one) => one.endsWith('/shows')).length).toBe(2);
    await call(page, 'clear');
    await call(page, 'identify', `${uid} c`);
    release();
    expect(await result(page)).toEqual(not('cleared'));
    expect(await dialog(page).count()).toBe(0);
  });

  it('resolves as `not_identified` after 10 seconds without a user', async () => {
    const page = await harness.open({ clock: true });
    await ready(page);
    await recordModules(page);
    await beginShow(page, 'f'.repeat(24));
    // The file is loaded first, because otherwise the clock of the test would let its request time out.
    await until(() => read(page, 'loadedModules')).toContain('extras');
    await page.clock.runFor(11_000);
    expect(await result(page)).toEqual(not('not_identified'));
  });

  it('resolves as `unavailable` when the server does not respond or fails', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], manual);
    harness.fakeResponse = (path) => (path.endsWith('/visits') ? 'never' : undefined);
    const page = await harness.open({ clock: true }, { uid });
    await ready(page);
    await recordModules(page);
    await beginShow(page, tour.id);
    await until(() => read(page, 'loadedModules')).toContain('extras');
    await page.clock.runFor(11_000);
    expect(await result(page)).toEqual(not('unavailable'));

    harness.fakeResponse = (path) => (path.endsWith('/shows') ? { status: 503, body: '{}' } : undefined);
    const second = await harness.open({ clock: true }, { uid });
    await ready(second);
    expect(await show(second, tour.id)).toEqual(not('unavailable'));
    harness.fakeResponse = (path) => (path.endsWith('/shows') ? 'never' : undefined);
    const requested = harness.requests.length;
    await beginShow(second, tour.id);
    await until(() => harness.requests.slice(requested)).toContain('POST /v3/observe/shows');
    await second.clock.runFor(11_000);
    expect(await result(second)).toEqual(not('unavailable'));
  });

  it('resolves as `unavailable` when the script itself does not load', async () => {
    const calls = `window.result=usher.show('f')`;
    const unreachable = await harness.open({ loader: 'http://127.0.0.1:9/loader.js', calls, clock: true });
    harness.fakeResponse = () => 'never';
    const init = `import usher from '/npm.js';usher.init('token',{url:'${harness.proxyUrl}/hangs'});${calls}`;
    const hanging = await harness.open({ loader: null, head: `<script type=module>${init}</script>`, clock: true });
    for (const page of [unreachable, hanging]) {
      await page.clock.runFor(21_000);
      expect(await result(page)).toEqual(not('unavailable'));
    }
  });

  it('tells whether a launcher was opened or closed', async () => {
    const { id } = await harness.create('launcher', { title: 'Help', items: [{ title: 'Docs', url: '/docs' }] });
    const page = await harness.open({}, { uid });
    await page.getByRole('button', { name: 'Help' }).waitFor();
    expect(await show(page, id, { open: true })).toEqual(shown);
    expect(await show(page, id, { close: true })).toEqual(not('closed'));
    expect(await read(page, `[usher.isShowing('${id}'),usher.isShowing()]`)).toEqual([true, false]);
  });

  it('works where the browser denies storage', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], manual);
    const init = `Object.defineProperty(window,'sessionStorage',{get(){throw Error('denied')}})`;
    const page = await harness.open({ init, calls: `usher.identify('${uid}');window.result=usher.show('${tour.id}')` });
    expect(await result(page)).toEqual(shown);
    await call(page, 'close');
    await until(() => stateOf(tour.id)).toEqual(['exited']);
  });
});

describe('`next`, `previous`, `close` and `isShowing`', () => {
  it('lead through a tour, and complete it after the last step', async () => {
    const tour = await harness.createTour([{ title: 'One' }, { title: 'Two' }]);
    const page = await harness.open({}, { uid });
    await dialog(page, 'One').waitFor();
    expect(await read(page, `[usher.isShowing(),usher.isShowing('${tour.id}'),usher.isShowing('x')]`)).toEqual([
      true,
      true,
      false,
    ]);
    await call(page, 'previous');
    await dialog(page, 'One').waitFor();
    await call(page, 'next');
    await dialog(page, 'Two').waitFor();
    await call(page, 'previous');
    await dialog(page, 'One').waitFor();
    await read(page, 'usher.next();usher.next()');
    await until(() => stateOf(tour.id)).toEqual(['completed']);
    expect(await read(page, `[usher.isShowing(),usher.isShowing('${tour.id}')]`)).toEqual([false, false]);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('close a tour as the close button does', async () => {
    const tour = await harness.createTour([{ title: 'One' }, { title: 'Two' }]);
    const page = await harness.open({}, { uid });
    await dialog(page, 'One').waitFor();
    await call(page, 'close');
    await until(() => stateOf(tour.id)).toEqual(['exited']);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('close a survey that thanks the user without undoing its completion', async () => {
    const steps = [
      { title: 'Hello', preset: 'survey_nps' },
      { title: 'Thanks', preset: 'thank_you' },
    ];
    const survey = await harness.create('survey', { steps });
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    await call(page, 'next');
    await dialog(page, 'Thanks').waitFor();
    await call(page, 'close');
    await until(() => stateOf(survey.id)).toEqual(['completed']);
  });

  it('close a tour that a previous page has shown, and that waits for its element here', async () => {
    const tour = await harness.createTour([at('#absent')], manual);
    const page = await harness.open({}, { uid });
    expect(await show(page, tour.id)).toEqual(shown);
    await until(() => stateOf(tour.id)).toEqual(['started']);
    const visited = page.waitForResponse(/\/visits$/);
    await page.reload();
    await visited;
    await until(async () => {
      await call(page, 'close');
      return stateOf(tour.id);
    }).toEqual(['exited']);
  });

  it('close a tour whose next step waits for its element, and move nothing meanwhile', async () => {
    const tour = await harness.createTour([{ title: 'One' }, at('#absent'), { title: 'Three' }]);
    const page = await harness.open({}, { uid });
    await dialog(page, 'One').waitFor();
    await read(page, 'usher.next();usher.next()');
    expect(await read(page, 'usher.isShowing()')).toBe(false);
    expect(await dialog(page, 'Three').count()).toBe(0);
    await call(page, 'close');
    await until(() => stateOf(tour.id)).toEqual(['exited']);
  });

  it('do nothing while nothing shows', async () => {
    const page = await harness.open({}, { uid });
    await ready(page);
    expect(
      await read(page, '[usher.next(),usher.previous(),usher.close(),usher.isShowing(),usher.isShowing("x")]'),
    ).toEqual([...[undefined, undefined, undefined, false, false]]);
  });
});

describe('listeners', () => {
  it('are removed by what `on` returns, and called once with `once`', async () => {
    const page = await harness.open({}, { uid });
    await ready(page);
    const heard = await read(
      page,
      `(()=>{const log=[];const stop=usher.on('usher:event',e=>log.push('on '+e.name));const other=e=>log.push('other');
      usher.once('usher:event',e=>log.push('once '+e.name));usher.once('usher:event',other);usher.off('usher:event',other);
      const never=usher.once('usher:event',other);never();usher.track('A');usher.track('B');stop();stop();usher.track('C');return log})()`,
    );
    expect(heard).toEqual(['on A', 'once A', 'on B']);
  });

  it('of `load` and `after:account` are called when they are added late, unless they are removed immediately', async () => {
    const page = await harness.open({}, { uid });
    await ready(page);
    const heard = await read(
      page,
      `new Promise(done=>{const log=[];const stop=usher.on('load',data=>{log.push(['load',data]);stop()});
      usher.on('load',()=>log.push('removed'))();usher.once('after:account',data=>log.push(data));
      usher.on('app:navigate',()=>log.push('navigate'));setTimeout(()=>done(log),50)})`,
    );
    expect(heard).toEqual([['load', undefined], { token: harness.api.account.account_token }]);
  });

  it('of `tour:event` receive the answer of the user', async () => {
    await harness.create('survey', { steps: [{ title: 'Hello', preset: 'survey_nps' }] });
    const calls = `window.log=[];usher.on('tour:event',e=>log.push(e));usher.identify('${uid}')`;
    const page = await harness.open({ calls });
    await dialog(page).waitFor();
    await page.getByRole('radio', { name: '9' }).click();
    const events = await read<TourEvent[]>(page, 'log');
    expect(events.map(({ response }) => response)).toContainEqual({ value: '9' });
    expect(events[0]).toMatchObject({ kind: 'survey', state: 'started' });
  });
});

describe('a hook before steps', () => {
  it('is awaited before the element of a step is looked for', async () => {
    const tour = await harness.createTour([at('#first'), at('#item', { title: 'Two' })]);
    const hook = `async({experience_id,kind,step_id,index})=>{await new Promise(r=>setTimeout(r,50));
      document.body.insertAdjacentHTML('beforeend',index?'<p id=item>Item</p>':'<p id=first>First</p>');log.push([experience_id,kind,step_id,index])}`;
    const calls = `window.log=[];window.stopHook=usher.before('step',${hook});usher.identify('${uid}')`;
    const page = await harness.open({ calls });
    await dialog(page).waitFor();
    await press(page, 'Next');
    await dialog(page, 'Two').waitFor();
    const steps = tour.steps.map(({ id }, index) => [tour.id, 'tour', id, index]);
    expect(await read(page, 'log')).toEqual(steps);
    await read(page, 'stopHook()');
    await press(page, 'Back');
    await dialog(page).waitFor();
    expect(await read(page, 'log.length')).toBe(2);
  });

  it('that fails does not stop the tour, and is written to the console only', async () => {
    await harness.createTour([{ title: 'One' }, { title: 'Two' }]);
    const calls = `usher.before('step',()=>{throw Error('sync')});usher.before('step',async()=>{throw Error('async')});usher.identify('${uid}')`;
    const page = await harness.open({ calls: '' });
    const messages: string[] = [];
    page.on('console', (message) => messages.push(`${message.type()} ${message.text()}`));
    await read(page, `${calls};0`);
    await dialog(page, 'One').waitFor();
    await press(page, 'Next');
    await dialog(page, 'Two').waitFor();
    for (const name of ['sync', 'async'])
      expect(messages.filter((text) => text.startsWith('debug') && text.includes(`Error: ${name}`))).toHaveLength(2);
  });

  it('that takes too long does not stop the tour', async () => {
    const tour = await harness.createTour([{ title: 'One' }], manual);
    const calls = `usher.before('step',()=>new Promise(()=>{}));usher.identify('${uid}')`;
    const page = await harness.open({ calls, clock: true });
    await ready(page);
    await beginShow(page, tour.id);
    await until(() => harness.requests).toContain('renderer');
    await page.clock.runFor(4000);
    expect(await dialog(page, 'One').count()).toBe(0);
    await page.clock.runFor(2500);
    await dialog(page, 'One').waitFor();
    expect(await result(page)).toEqual(shown);
  });

  it('runs on the page of the step, after its trigger, and not for a tour that was closed', async () => {
    await harness.createTour([
      { title: 'One' },
      { title: 'Two', quantifier_urls: [{ url: '/there' }] },
      { title: 'Three', secondary_trigger: 'click', elements: [{ selector: '#b' }] },
    ]);
    const calls = `window.log=[];usher.before('step',({index})=>{log.push(index+location.pathname)});usher.identify('${uid}')`;
    const page = await harness.open({ calls, body: '<button id=b>B</button>' });
    await dialog(page, 'One').waitFor();
    await press(page, 'Next');
    expect(await read(page, 'log')).toEqual(['0/']);
    await read(page, `history.pushState(null,'','/there'+location.search)`);
    await dialog(page, 'Two').waitFor();
    expect(await read(page, 'log')).toEqual(['0/', '1/there']);
    await call(page, 'next');
    await afterFrames(page, 10);
    expect(await read(page, 'log')).toEqual(['0/', '1/there']);
    await page.click('#b');
    await dialog(page, 'Three').waitFor();
    expect(await read(page, 'log')).toEqual(['0/', '1/there', '2/there']);
    await read(page, `usher.off('step')`);
  });
});

describe('calls before the script has loaded', () => {
  it('return a real promise, a real unsubscribe, and false', async () => {
    const tour = await harness.createTour([{ title: 'One' }], manual);
    const calls = `window.log=[];usher.on('load',()=>log.push('load'));usher.on('load',()=>log.push('removed'))();
      usher.once('usher:event',e=>log.push(e.name));usher.before('step',()=>{log.push('step')});usher.before('step',()=>{log.push('removed')})();
      log.push(usher.isShowing(),usher.next(),usher.previous(),usher.close(),usher.data.profile.get('plan'));
      usher.identify('${uid}');window.result=usher.show('${tour.id}');usher.track('A');usher.track('B')`;
    const page = await harness.open({ calls });
    expect(await result(page)).toEqual(shown);
    expect(await read(page, 'log')).toEqual(
      [false, null, null, null, null, 'A', 'load', 'step'].map((one) => one ?? undefined),
    );
  });

  it('work with the snippet of the first version, to which the script adds the rest', async () => {
    const tour = await harness.createTour([{ title: 'One' }, { title: 'Two' }], manual);
    const calls = `usher.on('load',()=>{window.loaded=1});usher.identify('${uid}');window.early=usher.show('${tour.id}')`;
    const page = await harness.open({ calls, oldSnippet: true });
    await dialog(page, 'One').waitFor();
    expect(await read(page, '[window.early,window.loaded]')).toEqual([undefined, 1]);
    await call(page, 'next');
    await dialog(page, 'Two').waitFor();
    expect(await show(page, tour.id)).toEqual(shown);
    expect(await read(page, 'usher.isShowing()')).toBe(true);
    await call(page, 'close');
    await until(() => stateOf(tour.id)).toEqual(['exited']);
  });
});

it('has exactly the calls that the types promise', async () => {
  const types = readFileSync(new URL('../src/index.d.ts', import.meta.url), 'utf8');
  const body = /interface Usher \{(.*?)^\}/ms.exec(types)?.[1] ?? '';
  const names = new Set([...body.matchAll(/^ {2}(\w+)[(<:]/gm)].map(([, name]) => name as string));
  const page = await harness.open({ oldSnippet: true }, { uid });
  await ready(page);
  const keys = await read<string[]>(page, 'Object.keys(usher)');
  expect(keys.filter((key) => !['q', 'c', 'kind'].includes(key)).sort()).toEqual([...names].sort());
});
