import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { at, call, dialog, uid, until, useHarness } from './browser.ts';
import { afterEvents, afterFrames } from './frames.ts';

/* Tests what the script must not do to an application, and what an application must not do to the script. */

const harness = useHarness();

const visits = () => harness.requests.filter((request) => request.endsWith('/visits'));
const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click();
const problemsOf = () =>
  harness.received
    .flatMap(({ body }) => (body.items ?? []) as { step_id?: string; problem?: { reason: string } }[])
    .filter(({ problem }) => problem)
    .map(({ step_id, problem }) => [step_id, problem?.reason]);

/** Records how often the script adds something to the page or removes it. */
const countPaints = (page: Page) =>
  page.evaluate(() => {
    const global = window as never as { paints: number };
    global.paints = 0;
    new MutationObserver((records) => {
      global.paints += records.length;
    }).observe(document.documentElement, { childList: true });
  });
const paints = (page: Page) => page.evaluate(() => (window as never as { paints: number }).paints);

describe('a step whose element is missing', () => {
  const body = `<button id=b onclick="this.textContent='Pressed'">Press</button>`;

  it.each(['usher.show', 'a Delivery', 'a link'])('is painted once when it is requested by %s', async (by) => {
    const tour = await harness.createTour([at('#absent')], { style: 'manual' });
    await harness.createProfile(uid);
    if (by === 'a Delivery') await harness.createDelivery(uid, tour.id, { skip_triggers: true });
    const page = await harness.open({ body }, { uid, hash: by === 'a link' ? `#usher=${tour.id}` : '' });
    if (by === 'usher.show') await call(page, 'show', tour.id);
    await dialog(page).waitFor();
    await countPaints(page);
    await afterFrames(page, 30);
    expect(await paints(page)).toBe(0);
    await page.getByRole('button', { name: 'Press' }).click();
    await page.getByText('Pressed').waitFor();
  });

  it('moves to its element when that appears', async () => {
    const tour = await harness.createTour([at('#late')], { style: 'manual' });
    const page = await harness.open({ body }, { uid });
    await call(page, 'show', tour.id);
    await dialog(page).waitFor();
    await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>Late</p>'));
    await page.locator('.box[data-side]').waitFor();
    expect(await dialog(page).count()).toBe(1);
  });

  it('is skipped after 5 seconds in the middle of a tour, and reported', async () => {
    const tour = await harness.createTour([{ title: 'One' }, at('#absent'), { title: 'Three' }]);
    const page = await harness.open({ body, clock: true }, { uid });
    await dialog(page, 'One').waitFor();
    await next(page);
    await page.clock.runFor(4000);
    expect(await dialog(page, 'Three').count()).toBe(0);
    await page.clock.runFor(1500);
    await dialog(page, 'Three').waitFor();
    await page.clock.runFor(1000);
    await until(problemsOf).toEqual([[tour.steps[1]?.id, 'not_found']]);
  });

  it('ends the tour after 5 seconds if it is the last one, and is reported', async () => {
    const tour = await harness.createTour([{ title: 'One' }, at('#absent')]);
    const page = await harness.open({ body, clock: true }, { uid });
    await dialog(page, 'One').waitFor();
    await next(page);
    await page.clock.runFor(7000);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
    expect(problemsOf()).toEqual([[tour.steps[1]?.id, 'not_found']]);
  });
});

describe('a backdrop', () => {
  const body = `<div id=list style="height:300px;overflow:auto"><div style="height:900px">Top</div><button id=t>T</button><div style="height:900px"></div></div>`;
  const back = (page: Page) => page.getByRole('button', { name: 'Back to step' });

  it('never shows without its box when several changes are reported together', async () => {
    await harness.createTour([at('#t', { backdrop: true })]);
    // After the page was busy, the browser reports several changes together, an old one first.
    const init = `const Real=IntersectionObserver;window.IntersectionObserver=class extends Real{constructor(run,options){super((entries,me)=>run([{isIntersecting:false,intersectionRatio:0},...entries],me),options)}}`;
    const page = await harness.open({ body: '<button id=t>T</button>', init }, { uid });
    await dialog(page).waitFor();
    await afterFrames(page, 20);
    expect(await page.locator('.box').isVisible()).toBe(true);
  });

  it('goes with its box when the element is scrolled away, and a button leads back', async () => {
    await harness.createTour([at('#t', { backdrop: true })]);
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor();
    expect([await page.locator('.backdrop').isVisible(), await back(page).count()]).toEqual([true, 0]);
    const hasFocus = (name: string) =>
      page
        .evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className ?? '')
        .then((one) => one.includes(name));
    expect(await hasFocus('box')).toBe(true);
    await page.evaluate(() => document.querySelector('#list')?.scrollTo(0, 0));
    await back(page).waitFor();
    expect([await page.locator('.backdrop').isVisible(), await page.locator('.box').isVisible()]).toEqual([
      false,
      false,
    ]);
    expect(await hasFocus('act')).toBe(true);
    await page.mouse.move(200, 100);
    await page.mouse.wheel(0, 100);
    await page.waitForFunction(() => (document.querySelector('#list')?.scrollTop ?? 0) > 0);
    await back(page).click();
    await dialog(page).waitFor();
    expect([await page.locator('.backdrop').isVisible(), await back(page).count()]).toEqual([true, 0]);
    await until(() => hasFocus('box')).toBe(true);
  });
});

describe('events in a box', () => {
  const types =
    'keydown,keypress,keyup,pointerdown,pointerup,mousedown,mouseup,click,dblclick,contextmenu,touchstart,touchend,focus,focusin,focusout,blur,copy,cut,paste,input';
  /** Records the events that listeners of the application receive. */
  const head = `<script>window.leaks=[];for(const type of '${types}'.split(','))for(const target of [document,window])for(const capture of [true,false]){if(target===window&&capture)continue;target.addEventListener(type,e=>{if(e.target!==window&&e.target!==document)leaks.push(type)},capture)}</script>`;
  const leaks = (page: Page) => page.evaluate(() => (window as never as { leaks: string[] }).leaks.splice(0));

  it('do not reach the application', async () => {
    const question = { title: 'Hello', preset: 'survey_input' };
    await harness.create('survey', { steps: [question, { title: 'Thanks', preset: 'thank_you' }] });
    const page = await harness.open({ head, body: '<button>Mine</button>' }, { uid });
    await dialog(page).waitFor();
    await leaks(page);
    await page.locator('textarea').click();
    await page.keyboard.type('jk?');
    for (const key of ['Control+a', 'Control+c', 'Control+x', 'Control+v']) await page.keyboard.press(key);
    await page.locator('textarea').dblclick();
    await page.getByRole('button', { name: 'Send' }).click();
    await dialog(page, 'Thanks').waitFor();
    expect(await leaks(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog(page, 'Thanks').waitFor({ state: 'detached' });
    expect((await leaks(page)).filter((type) => type.startsWith('key') && type !== 'keyup')).toEqual([]);
    await page.getByRole('button', { name: 'Mine' }).click();
    expect(await leaks(page)).toContain('click');
  });

  it('do not close a popover of the application', async () => {
    await harness.createTour([{ title: 'Hello', body: 'Text' }, { title: 'Two' }]);
    const listeners = ['pointerdown', 'mousedown', 'focusin', 'click']
      .map(
        (type) =>
          `for(const c of [true,false])document.addEventListener('${type}',e=>{if(!pop.contains(e.target))pop.remove()},c);`,
      )
      .join('');
    const page = await harness.open({ body: `<div id=pop>Menu</div><script>${listeners}</script>` }, { uid });
    await dialog(page).waitFor();
    await page.getByText('Text').click();
    await next(page);
    await dialog(page, 'Two').waitFor();
    expect(await page.locator('#pop').count()).toBe(1);
  });
});

describe('a dialog of the application that is not a `dialog` element', () => {
  const open = (page: Page, attributes: string, style: string) =>
    page.evaluate(
      ([attributes, style]) =>
        document.body.insertAdjacentHTML(
          'beforeend',
          `<div id=d ${attributes} style="position:fixed;background:#fff;${style}"><button id=in>In</button></div>`,
        ),
      [attributes, style],
    );
  const central = 'inset:100px';
  const close = (page: Page) => page.evaluate(() => document.querySelector('#d')?.remove());

  it.each(['role=dialog aria-modal=true', 'role=dialog'])(
    'lets a step without an element wait (%s)',
    async (attributes) => {
      const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
      const page = await harness.open({}, { uid });
      await open(page, attributes, central);
      await Promise.all([page.waitForResponse(/shows$/), call(page, 'show', tour.id)]);
      await afterFrames(page, 20);
      expect(await dialog(page).count()).toBe(0);
      await close(page);
      await dialog(page).waitFor();
    },
  );

  it('does not let a step wait if it is a notice at the edge of the page', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const page = await harness.open({}, { uid });
    await open(page, 'role=dialog', 'inset:auto 0 0 0;height:60px');
    await call(page, 'show', tour.id);
    await dialog(page).waitFor();
  });

  it('does not let a step wait if it is only a part of the page that has this role', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const page = await harness.open(
      { body: '<div role=dialog aria-modal=true style="width:99px">Colors</div>' },
      { uid },
    );
    await call(page, 'show', tour.id);
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  });

  it('lets a step wait if only the elements inside of it are above the page', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const body = '<div id=d role=dialog aria-modal=true><div style="position:fixed;inset:0">Window</div></div>';
    const page = await harness.open({ body }, { uid });
    await Promise.all([page.waitForResponse(/shows$/), call(page, 'show', tour.id)]);
    await afterFrames(page, 20);
    expect(await dialog(page).count()).toBe(0);
    await close(page);
    await dialog(page).waitFor();
  });

  it.each(['dialog', 'menu'])('does not take the focus back from a box (role=%s)', async (role) => {
    const question = { title: 'Hello', preset: 'survey_input', screen_position: 'bottom_right' };
    await harness.create('survey', { steps: [question] });
    const trap = `d.addEventListener('focusout',({target,relatedTarget})=>{if(relatedTarget&&!d.contains(relatedTarget))target.focus()})`;
    const body = `<div id=d role=${role} style="width:99px"><button id=in>In</button></div><script>${trap}</script>`;
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor();
    await page.locator('#in').focus();
    await page.locator('textarea').click();
    await page.keyboard.type('Fine');
    expect(await page.locator('textarea').inputValue()).toBe('Fine');
  });

  it('contains a step at one of its elements, so that it does not take the focus back', async () => {
    const tour = await harness.createTour([at('#in')], { style: 'manual' });
    const page = await harness.open({}, { uid });
    await open(page, 'role=dialog aria-modal=true', central);
    await page.evaluate(() =>
      document.addEventListener(
        'focusin',
        ({ target }) => {
          const trap = document.querySelector('#d');
          if (trap && !trap.contains(target as Node)) (trap.querySelector('#in') as HTMLElement).focus();
        },
        true,
      ),
    );
    await call(page, 'show', tour.id);
    await dialog(page).waitFor();
    expect(await page.evaluate(() => document.querySelector('#d usher-layer') !== null)).toBe(true);
    await page.getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
  });

  it('hides a step below it, also without any role', async () => {
    const tour = await harness.createTour([at('#below')], { style: 'manual' });
    const page = await harness.open({ body: '<p id=below style="margin:300px">Below</p>' }, { uid });
    await call(page, 'show', tour.id);
    await dialog(page).waitFor();
    await open(page, '', 'inset:0');
    await dialog(page).waitFor({ state: 'detached' });
    await close(page);
    await dialog(page).waitFor();
  });
});

describe('the focus', () => {
  it('goes back to where the user was typing before they clicked into a box', async () => {
    const question = { preset: 'survey_input', screen_position: 'bottom_right' };
    const survey = await harness.create('survey', {
      ...{ style: 'manual' },
      steps: [
        { title: 'Hello', ...question },
        { title: 'Two', ...question },
      ],
    });
    const page = await harness.open({ body: '<input id=mine>' }, { uid });
    await page.locator('#mine').focus();
    await call(page, 'show', survey.id);
    await dialog(page).waitFor();
    await page.locator('textarea').fill('Fine');
    await page.getByRole('button', { name: 'Send' }).click();
    await dialog(page, 'Two').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page, 'Two').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('mine');
  });
});

describe('a server that does not respond', () => {
  const loadSnippet = readFileSync(new URL('../src/load-snippet.js', import.meta.url), 'utf8');

  it('does not delay the load event of a page with the snippet', async () => {
    const head = `<script>${loadSnippet.replace(/'https:.*'/, "'/loader.js'")}</script>`;
    const site = await harness.open({ loader: null, head }, {});
    await until(() => harness.requests).toContain('core');
    const held = await site.context().newPage();
    await held.route(/loader/, () => {});
    await held.goto(site.url(), { waitUntil: 'load', timeout: 5000 });
    expect(await held.evaluate(() => document.readyState)).toBe('complete');
  });

  it('does not delay the load event of the page', async () => {
    const site = await harness.open({}, {});
    const held = await site.context().newPage();
    await held.route(/\/script\/core-/, () => {});
    await held.goto(site.url(), { waitUntil: 'load', timeout: 5000 });
    expect(await held.evaluate(() => document.readyState)).toBe('complete');
  });

  it('gets another visit after 10 seconds', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    harness.fakeResponse = (path) => (path.endsWith('/visits') ? 'never' : undefined);
    const page = await harness.open({ clock: true }, { uid });
    await until(() => visits().length).toBe(1);
    harness.fakeResponse = undefined;
    await page.clock.runFor(11_000);
    await dialog(page).waitFor();
  });
});

describe('a tooltip', () => {
  it('is not opened by a button that clicks its element', async () => {
    const click = { text: 'Do it', additional_actions: ['element_click'], action_element: { selector: '#b' } };
    await harness.create('tooltip', { steps: [at('#b', { title: 'Hint' })] });
    await harness.createTour([{ title: 'Hello', screen_position: 'bottom_right', buttons: [click] }]);
    const page = await harness.open({ body: `<button id=b onclick="this.dataset.clicked=1">B</button>` }, { uid });
    await dialog(page).waitFor();
    await page.locator('#b').hover();
    await page.getByRole('tooltip').waitFor();
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.locator('#b[data-clicked]').waitFor();
    await afterFrames(page, 40);
    expect(await page.getByRole('tooltip').count()).toBe(0);
  });
});

describe('an application that changes its page all the time', () => {
  it('is searched for a text in a small part of the frames', async () => {
    await harness.createTour([{ ...at(''), elements: [{ selector: '.row', text: 'Never' }] }]);
    const body = `<main>${'<p class=row>Some text of a row</p>'.repeat(4000)}</main>`;
    const init = `window.searches=0;const real=Document.prototype.querySelectorAll;Document.prototype.querySelectorAll=function(query){if(query==='.row')window.searches++;return real.call(this,query)}`;
    const page = await harness.open({ body, init }, { uid });
    await page.waitForFunction(() => (window as never as { searches: number }).searches > 0);
    const { frames, searches } = await page.evaluate(
      () =>
        new Promise<{ frames: number; searches: number }>((done) => {
          const global = window as never as { searches: number };
          global.searches = 0;
          let frames = 0;
          const change = () => {
            (document.querySelector('main')?.children[frames % 4000] as HTMLElement).textContent = `Row ${frames}`;
            if (++frames < 90) requestAnimationFrame(change);
            else done({ frames, searches: global.searches });
          };
          change();
        }),
    );
    expect(searches).toBeLessThan(frames / 3);
  });
});

describe('a page that changes its hash', () => {
  it.each([
    ['#/list', ['#/list?id=one', '#/list?id=two', '#/list']],
    ['#intro', ['#part-1', '#part-2', '#']],
  ])('sends a visit only when the route has changed (%s)', async (hash, places) => {
    const page = await harness.open({}, { uid, hash });
    await until(() => visits().length).toBe(1);
    for (const place of places) await page.evaluate((url) => history.replaceState(null, '', url), place);
    await afterEvents(page);
    expect(visits()).toHaveLength(1);
    await page.evaluate(() => history.replaceState(null, '', '#/other'));
    await until(() => visits().length).toBe(2);
  });
});
