import type { BrowserContext, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { breakElements, type Site, uid, until, useHarness } from './browser.ts';
import { violations } from './kinds-page.ts';

const harness = useHarness();

const body = `<main><h1>Reports</h1><form><label>Name <input id="name" value="Secret Ann"></label>
<button type="button" id="save"><svg width="16" height="16"><rect width="16" height="16"/></svg> Save</button>
<button type="button" id="later" disabled>Later</button></form>
<p id="text">Some <a id="link" href="/other">link</a> here</p></main>`;

interface Pick {
  id: string;
  address: string;
  code: string;
  state: string;
  result: {
    elements: { selector?: string; text?: string; shadow_selector?: string }[];
    candidates: { score: number }[];
    attribute: string;
    box: { x: number; y: number; width: number; height: number };
    wireframe: { width: number; boxes: { text?: string; target?: boolean }[] };
  };
}

/** Moves the content of the page below the bar. */
const space = '<br>'.repeat(10);
const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Usher picker' });
const button = (page: Page, name: string): Locator => barOf(page).getByRole('button', { name });
const outlineOf = (page: Page): Locator => page.locator('.pick-outline');

async function createPick(fields: object = {}): Promise<Pick> {
  const elements = [{ selector: '#text' }];
  const step = { title: 'Save here', elements, position_type: 'snap_to_element' };
  const { id, steps } = await harness.createTour([step], { name: 'Saving', style: 'manual' });
  const params = { experience_id: id, step_id: steps[0]?.id, href: `${harness.pagesUrl}/`, ...fields };
  const response = await harness.api.post('/v3/edit/picks', { purpose: 'pick', ...params });
  expect([response.status, response.body.messages]).toEqual([201, undefined]);
  return response.body.pick;
}

const readPick = async ({ id }: Pick): Promise<Pick> => (await harness.api.get(`/v3/edit/picks/${id}`)).body.pick;

interface Opened {
  page: Page;
  pick: Pick;
}

/** Opens a page as the dashboard does, with the key in its address. */
async function openPicker(site: Site = { body }, options: { context?: BrowserContext; uid?: string } = {}) {
  const pick = await createPick();
  const page = await harness.open(
    { ...site, body: space + site.body },
    { ...options, hash: new URL(pick.address).hash },
  );
  await button(page, 'Start picking').waitFor();
  return { page, pick };
}

async function startPicking(...args: Parameters<typeof openPicker>): Promise<Opened> {
  const opened = await openPicker(...args);
  await button(opened.page, 'Start picking').click();
  await barOf(opened.page).getByText('Point at the element').waitFor();
  return opened;
}

/** Points at an element and clicks where it is, as a user does. */
async function clickOn(page: Page, selector: string): Promise<void> {
  const { x, y, width, height } = (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2 - 1, y + height / 2);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.up();
}

/** Returns the IDs of the elements that the picked description finds. */
async function findPicked(page: Page, pick: Pick): Promise<string[]> {
  const { result } = await readPick(pick);
  return page.evaluate(
    (elements) =>
      elements.flatMap(({ selector, text, shadow_selector }) =>
        [...document.querySelectorAll(selector ?? 'nothing')]
          .flatMap((found) =>
            shadow_selector ? [...(found.shadowRoot?.querySelectorAll(shadow_selector) ?? [])] : found,
          )
          .filter((found) => !text || found.textContent?.includes(text))
          .map(({ id }) => id),
      ),
    result.elements,
  );
}

/** Records every event that listeners of the page receive. */
const types =
  'pointerdown,pointerup,pointermove,pointerover,mousedown,mouseup,mousemove,mouseover,mouseenter,click,dblclick,auxclick,contextmenu,touchstart,touchend,dragstart';
const record = `window.seen=[];for(const type of '${types}'.split(','))document.addEventListener(type,()=>seen.push(type),true);`;
const seenBy = (page: Page) => page.evaluate(() => (window as unknown as { seen: string[] }).seen);

describe('a page without a pick', () => {
  it('loads nothing more, stores nothing and listens to no pointer', async () => {
    const init = `window.heard=[];const add=EventTarget.prototype.addEventListener;EventTarget.prototype.addEventListener=function(type,...rest){heard.push(type);return add.call(this,type,...rest)}`;
    const page = await harness.open({ body, init }, { uid });
    await until(() => harness.requests).toContain('POST /v3/observe/visits');
    expect(harness.requests).not.toContain('picker');
    expect(harness.requests.filter((path) => path.includes('picks'))).toEqual([]);
    const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    expect(heard.filter((type) => /pointer|mouse|click|key|touch/.test(type))).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.getItem('usher:pick'))).toBe(null);
  });

  it('loads nothing on a host that is off, and the key still leaves the address', async () => {
    const { address } = await createPick();
    const page = await harness.open({ body, hosts: ['elsewhere.test'] }, { hash: new URL(address).hash });
    expect(await page.evaluate(() => location.hash)).toBe('');
    await page.waitForLoadState('networkidle');
    expect(harness.requests).toEqual([]);
  });
});

describe('opening a pick', () => {
  it('names the administrator, the server and the step, and waits for a click', async () => {
    const { page } = await openPicker();
    const text = await barOf(page).textContent();
    expect(text).toContain('For step 1 “Save here” of the tour “Saving”.');
    expect(text).toContain(`(Acme) on ${new URL(harness.proxyUrl).host}`);
    await page.mouse.move(100, 100);
    expect(await outlineOf(page).count()).toBe(0);
  });

  it('removes the key before code of the page reads the address, and keeps the route of the page', async () => {
    const { address } = await createPick({ href: `${harness.pagesUrl}/#/list?sort=name` });
    const head = `<script>history.replaceState({own:1},'')</script>`;
    const router = `<script>window.hash=location.hash;addEventListener('hashchange',()=>{window.hash+=' changed'})</script>`;
    const page = await harness.open({ head, body: router + body }, { hash: new URL(address).hash });
    await button(page, 'Start picking').waitFor();
    const state = await page.evaluate(() => [
      (window as unknown as { hash: string }).hash,
      location.hash,
      history.state,
    ]);
    expect(state).toEqual(['#/list?sort=name', '#/list?sort=name', { own: 1 }]);
    expect(await page.evaluate(() => 'p' in (window as unknown as { usher: object }).usher)).toBe(false);
  });

  it('works with an older snippet, and sends the key nowhere else', async () => {
    const pick = await createPick();
    const { hash } = new URL(pick.address);
    const page = await harness.open({ body, oldSnippet: true }, { hash, uid });
    await button(page, 'Start picking').waitFor();
    expect(await page.evaluate(() => location.hash)).toBe('');
    await until(() => harness.requests).toContain('POST /v3/observe/visits');
    const withKey = harness.received.filter((one) => JSON.stringify(one.body).includes(hash.split('=')[1] ?? ''));
    expect(withKey.map(({ path }) => path)).toEqual(['/v3/observe/picks']);
  });

  it('asks for the code where the address has no key', async () => {
    const pick = await createPick();
    const page = await harness.open({ body });
    await page.goto(`${page.url()}&usher-pick`);
    await barOf(page).getByRole('textbox', { name: 'Code' }).fill('2222-2222');
    await page.keyboard.press('Enter');
    await barOf(page).getByText('There is no pick with this code: check it').waitFor();
    expect(await barOf(page).getByRole('textbox', { name: 'Code' }).inputValue()).toBe('2222-2222');
    await barOf(page).getByRole('textbox', { name: 'Code' }).fill(pick.code.toLowerCase());
    await button(page, 'Continue').click();
    await button(page, 'Start picking').waitFor();
  });

  it('does not open twice', async () => {
    const { pick } = await openPicker();
    const page = await harness.open({ body }, { hash: new URL(pick.address).hash });
    await barOf(page).getByText('This pick is over').waitFor();
    await button(page, 'Close').click();
    await barOf(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => sessionStorage.getItem('usher:pick'))).toBe(null);
  });

  it('sends nothing to an address in the fragment', async () => {
    const context = await harness.browser.newContext();
    const hosts = new Set<string>();
    context.on('request', (request) => hosts.add(new URL(request.url()).origin));
    const page = await harness.open(
      { body },
      { context, hash: '#usher-pick=https://evil.test/x&server=https://evil.test' },
    );
    await barOf(page).getByText('This pick is over').waitFor();
    expect([...hosts].sort()).toEqual([harness.pagesUrl, harness.proxyUrl].sort());
    await context.close();
  });

  it('can be tried again when the server does not respond', async () => {
    const { address } = await createPick();
    harness.fakeResponse = (path) =>
      path.endsWith('/picks') ? { status: 503, body: '{"messages":["Busy"]}' } : undefined;
    const page = await harness.open({ body }, { hash: new URL(address).hash });
    await barOf(page).getByText('Busy').waitFor();
    harness.fakeResponse = undefined;
    await button(page, 'Try again').click();
    await button(page, 'Start picking').waitFor();
  });
});

describe('picking', () => {
  it('shows the element that the step has, outlines what the pointer is on, and picks it with a click', async () => {
    const { page, pick } = await startPicking();
    await outlineOf(page).getByText('paragraph “Some link here”').waitFor();
    await page.locator('#save svg').hover({ force: true });
    await outlineOf(page).getByText('button “Save”').waitFor();
    expect(await outlineOf(page).boundingBox()).toEqual(await page.locator('#save').boundingBox());
    await clickOn(page, '#save');
    await barOf(page).getByText('Picked button “Save”').waitFor();
    expect(await outlineOf(page).count()).toBe(0);
    const { state, result } = await readPick(pick);
    expect(state).toBe('picked');
    expect(result.elements[0]).toEqual({ selector: '#save' });
    expect(new Set(await findPicked(page, pick))).toEqual(new Set(['save']));
    const { x = 0, width = 0 } = (await page.locator('#save').boundingBox()) ?? {};
    expect([result.box.x, result.box.width]).toEqual([Math.round(x), Math.round(width)]);
    await button(page, 'Pick another').click();
    await clickOn(page, '#link');
    await barOf(page).getByText('Picked link “link”').waitFor();
    expect(new Set(await findPicked(page, pick))).toEqual(new Set(['link']));
  });

  it('hides all pointer events from the page', async () => {
    const { page } = await startPicking({ body, init: record });
    await page.evaluate(() => {
      (window as unknown as { seen: string[] }).seen.length = 0;
      for (const name of ['onmouseover', 'onclick', 'onmousedown'] as const)
        (document.querySelector('#save') as HTMLElement)[name] = () => {
          (window as unknown as { seen: string[] }).seen.push(name);
        };
    });
    const url = page.url();
    await page.locator('#save').click({ button: 'right', force: true });
    await page.mouse.move(5, 300);
    await page.locator('#link').click({ button: 'middle', force: true });
    await page.locator('#name').hover({ force: true });
    await page.mouse.down();
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('name');
    await page.mouse.move(5, 310);
    await page.mouse.up();
    await clickOn(page, '#link');
    await barOf(page).getByText('Picked link').waitFor();
    expect(await seenBy(page)).toEqual([]);
    expect(page.url()).toBe(url);
    await clickOn(page, '#save');
    expect(await seenBy(page)).toContain('onclick');
  });

  it('picks a button that is disabled', async () => {
    const { page, pick } = await startPicking();
    await clickOn(page, '#later');
    await barOf(page).getByText('Picked button “Later”').waitFor();
    expect(await findPicked(page, pick)).toContain('later');
  });

  it('lets the page be used while Alt is held, and picks in the menu that it opened', async () => {
    const menu = `<button id="open" onclick="items.hidden=false;event.altKey">More</button><ul id="items" role="menu" hidden><li role="menuitem" id="export">Export</li></ul>`;
    const { page, pick } = await startPicking({ body: menu });
    await page.keyboard.down('Alt');
    await barOf(page).getByText('You are using the page').waitFor();
    await clickOn(page, '#open');
    await page.locator('#export').waitFor();
    await page.keyboard.up('Alt');
    await clickOn(page, '#export');
    await barOf(page).getByText('Picked menuitem “Export”').waitFor();
    expect(await findPicked(page, pick)).toContain('export');
  });

  it('follows a link while Alt is held, as a click without Alt does', async () => {
    const router = `<script>addEventListener('click',(event)=>{if(event.altKey||!event.target.matches('a'))return;event.preventDefault();history.pushState({},'','/other');text.textContent='Routed'})</script>`;
    const { page } = await startPicking({ body: body + router });
    await page.keyboard.down('Alt');
    await clickOn(page, '#link');
    await page.getByText('Routed').waitFor();
    await page.keyboard.up('Alt');
    await clickOn(page, '#text');
    await barOf(page).getByText('Picked paragraph “Routed”').waitFor();
  });

  it('lets the page be used until the button is pressed again', async () => {
    const { page } = await startPicking({ body, init: record });
    await button(page, 'Use the page').click();
    await page.locator('#name').fill('Bob');
    expect(await button(page, 'Use the page').getAttribute('aria-pressed')).toBe('true');
    await button(page, 'Use the page').click();
    await clickOn(page, '#name');
    await barOf(page).getByText('Picked field “Name”').waitFor();
  });

  it('can be used with the keyboard alone', async () => {
    const { page, pick } = await openPicker();
    const announced = page.locator('.announcer');
    await page.keyboard.press('Enter');
    await outlineOf(page).getByText('paragraph').waitFor();
    await page.keyboard.press('ArrowDown');
    await announced.getByText('link “link”').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await announced.getByText('form').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await announced.getByText('button “Save”').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await outlineOf(page).getByText('button “Save”').waitFor();
    await page.keyboard.press('Enter');
    await barOf(page).getByText('Picked button “Save”').waitFor();
    expect(await findPicked(page, pick)).toContain('save');
  });

  it('ends with Escape, wherever the focus is, and leaves nothing behind', async () => {
    const { page, pick } = await startPicking({
      body,
      init: `${record}addEventListener('keydown',({key})=>seen.push(key))`,
    });
    await page.locator('#name').focus();
    await page.keyboard.press('Escape');
    await barOf(page).waitFor({ state: 'detached' });
    await until(async () => (await readPick(pick)).state).toBe('ended');
    expect(await seenBy(page)).not.toContain('Escape');
    expect(await page.locator('usher-layer').count()).toBe(0);
    expect(await page.evaluate(() => sessionStorage.getItem('usher:pick'))).toBe(null);
    await clickOn(page, '#save');
    expect(await seenBy(page)).toContain('click');
    harness.requests.length = 0;
    await page.reload({ waitUntil: 'networkidle' });
    expect(harness.requests).not.toContain('picker');
  });

  it('goes on after a reload and on another page of the same origin', async () => {
    const { page, pick } = await startPicking();
    await page.reload();
    await barOf(page).getByText('Point at the element').waitFor();
    await page.goto(page.url().replace('/?', '/other?'));
    await barOf(page).getByText('Point at the element').waitFor();
    await clickOn(page, '#save');
    await barOf(page).getByText('Picked button “Save”').waitFor();
    expect((await readPick(pick)).state).toBe('picked');
  });

  it('says that the pick was ended in Usher', async () => {
    const { page, pick } = await startPicking();
    await harness.api.send('DELETE', `/v3/edit/picks/${pick.id}`);
    await clickOn(page, '#save');
    await barOf(page).getByText('This pick is over').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('usher:pick'))).toBe(null);
  });

  it('says that it is over before another element is picked in vain', async () => {
    const { page, pick } = await startPicking();
    await clickOn(page, '#save');
    await button(page, 'Pick another').click();
    await clickOn(page, '#save');
    await barOf(page).getByText('Picked button “Save”').waitFor();
    await harness.api.send('DELETE', `/v3/edit/picks/${pick.id}`);
    await button(page, 'Pick another').click();
    await barOf(page).getByText('This pick is over').waitFor();
  });
});

describe('an element that only its place describes', () => {
  const list = `<main><h1>Rows</h1><ul id="rows">${'<li><b>7</b></li>'.repeat(5)}</ul></main>`;

  it('is sent only after a warning', async () => {
    const { page, pick } = await startPicking({ body: list });
    await clickOn(page, 'li:nth-child(3) b');
    await barOf(page).getByText('Usher can find text “7” only by its place').waitFor();
    // The element that the bar suggests instead is outlined.
    expect(await outlineOf(page).textContent()).toMatch(/^list/);
    expect((await readPick(pick)).result).toBe(null);
    await button(page, 'Pick another').click();
    await clickOn(page, 'li:nth-child(4) b');
    await button(page, 'Pick it anyway').click();
    await barOf(page).getByText('Picked text “7”').waitFor();
    expect((await readPick(pick)).result.elements).toEqual([{ selector: '#rows>li:nth-of-type(4)>b' }]);
  });

  it('is refined by hand: matches are outlined while the selector is written, and one of them is chosen', async () => {
    const body = `<main id="page"><h1>People</h1>${['Ann', 'Ben', 'Cho'].map((name) => `<p><i class="x">${name}</i></p>`).join('')}</main>`;
    const { page, pick } = await startPicking({ body });
    await button(page, 'Write a selector').click();
    const field = barOf(page).getByLabel('CSS selector');
    await field.fill('#page i[');
    await barOf(page).getByText('This is no CSS selector yet').waitFor();
    await field.fill('#page i');
    await barOf(page).getByText('Match 1 of 3').waitFor();
    expect(await page.locator('.pick-other').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await button(page, 'Next').click();
    await barOf(page).getByText('Match 2 of 3').waitFor();
    await button(page, 'Use this element').click();
    await barOf(page).getByText('Picked text “Ben”').waitFor();
    expect(await page.locator('.pick-outline').count()).toBe(0);
    expect((await readPick(pick)).result.elements[0]).toEqual({ selector: '#page i', text: 'Ben' });
    await button(page, 'Refine').click();
    expect(await field.inputValue()).toBe('#page i');
    await field.fill('p:nth-of-type(3) i');
    await barOf(page).getByText('1 match').waitFor();
    await page.keyboard.press('Enter');
    await barOf(page).getByText('Picked text “Cho”').waitFor();
  });

  it('leads to a warning in a row of a list, because rows can be sorted', async () => {
    const { page } = await startPicking({ body: list });
    await clickOn(page, 'li:nth-child(3) b');
    await barOf(page).getByText('when rows are sorted or filtered, another one is in its place').waitFor();
  });

  it('can be replaced by an element around it with a better description, also with the keyboard', async () => {
    const { page, pick } = await startPicking({ body: list });
    await page.locator('li:nth-child(3) b').hover({ force: true });
    await page.keyboard.press('Enter');
    await barOf(page).getByText('The element around it can be found again: list').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await barOf(page).getByText('Picked list').waitFor();
    expect((await readPick(pick)).result.elements[0]).toEqual({ selector: '#rows' });
  });
});

describe('what can be picked', () => {
  it('is an element in a modal dialog', async () => {
    const dialog = '<dialog id="modal"><button id="inside">Inside</button></dialog>';
    const { page, pick } = await startPicking({ body: body + dialog });
    await page.evaluate(() => document.querySelector('dialog')?.showModal());
    await page.waitForFunction(() => !!document.querySelector('dialog usher-layer'));
    await clickOn(page, '#inside');
    await barOf(page).getByText('Picked button “Inside”').waitFor();
    expect(await findPicked(page, pick)).toContain('inside');
    await button(page, 'Pick another').click();
    await barOf(page).getByText('Point at the element').waitFor();
  });

  it('is an element in an open shadow root', async () => {
    const { page, pick } = await openPicker({ body: '<x-card id="card"></x-card>' });
    await page.evaluate(() => {
      const root = document.querySelector('#card')?.attachShadow({ mode: 'open' });
      root?.append(Object.assign(document.createElement('button'), { id: 'inner', textContent: 'Inner' }));
    });
    await button(page, 'Start picking').click();
    await clickOn(page, '#inner');
    await barOf(page).getByText('Picked button “Inner”').waitFor();
    expect((await readPick(pick)).result.elements[0]).toEqual({ selector: '#card', shadow_selector: '#inner' });
    expect(await findPicked(page, pick)).toContain('inner');
  });

  it('is an element in a frame of the same origin, which sees no click', async () => {
    const { page, pick } = await startPicking({ body: '<iframe title="Inside"></iframe>' });
    await page.evaluate(() => {
      const { contentDocument } = document.querySelector('iframe') as HTMLIFrameElement;
      const inner = Object.assign(document.createElement('button'), { id: 'framed', textContent: 'Framed' });
      inner.addEventListener('pointerdown', () => inner.append(' clicked'));
      contentDocument?.body.append(inner);
    });
    const { x = 0, y = 0 } = (await page.frameLocator('iframe').locator('#framed').boundingBox()) ?? {};
    await page.mouse.move(x + 8, y + 8);
    await outlineOf(page).getByText('button “Framed”').waitFor();
    await page.mouse.down();
    await page.mouse.up();
    await barOf(page).getByText('Picked button “Framed”').waitFor();
    expect((await readPick(pick)).result.elements[0]).toEqual({ selector: '#framed' });
  });

  it('is an element in a scroll container, which scrolls into view for the arrow keys', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => `<li id="row-${at}">Row ${at}</li>`).join('');
    const { page, pick } = await startPicking({
      body: `<ul id="rows" style="height:200px;overflow:auto">${rows}</ul>`,
    });
    await page.locator('#row-3').hover({ force: true });
    for (let at = 4; at <= 20; at++) await page.keyboard.press('ArrowRight');
    await outlineOf(page).getByText('Row 20').waitFor();
    expect(await page.evaluate(() => document.querySelector('#rows')?.scrollTop)).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await button(page, 'Pick it anyway').click();
    await barOf(page).getByText('Picked list item “Row 20”').waitFor();
    expect(await findPicked(page, pick)).toContain('row-20');
  });
});

describe('the wireframe', () => {
  it('has the texts of the page, the place of the element, and never what users type or choose', async () => {
    const fields = `<textarea>Private note</textarea><select><option>Private choice</option></select><div contenteditable>Private text</div><input type="submit" value="Private value">`;
    const { page, pick } = await startPicking({ body: body + fields });
    await page.locator('#name').evaluate((input: HTMLInputElement) => {
      input.value = 'Typed secret';
    });
    await clickOn(page, '#save');
    await barOf(page).getByText('Picked').waitFor();
    const { result } = await readPick(pick);
    const json = JSON.stringify(result);
    expect(json).not.toMatch(/[Ss]ecret|Private/);
    expect(result.wireframe.boxes.map(({ text }) => text)).toEqual(expect.arrayContaining(['Reports', 'Save', 'Some']));
    expect(result.wireframe.boxes.filter(({ target }) => target)).toEqual([{ ...result.box, target: true }]);
  });

  it('fits into 100 KB on a page with thousands of elements', async () => {
    const cell = '<b style="display:inline-block;width:9px;height:9px;background:oklch(0.6 0.1 200)">日本語</b>';
    const { page, pick } = await startPicking({ body: body + cell.repeat(3000) });
    await clickOn(page, '#save');
    await barOf(page).getByText('Picked').waitFor();
    const { result } = await readPick(pick);
    const sent = harness.received.find(({ path }) => path.endsWith('/picks/result'));
    expect(Buffer.byteLength(JSON.stringify(sent?.body))).toBeLessThan(100 * 1024);
    expect(result.wireframe.boxes.length).toBeGreaterThan(500);
    expect(result.wireframe.boxes.some(({ target }) => target)).toBe(true);
  });
});

describe('an error while the bar is painted', () => {
  it('leads to a second attempt, which the administrator can end', async () => {
    const { page } = await openPicker({ body, init: breakElements('p', 1) });
    await button(page, 'End').click();
    await until(() => barOf(page).count()).toBe(0);
  });

  it('lets the Experiences of the page start after the second attempt', async () => {
    const { address } = await createPick();
    await harness.createReadyLauncher();
    const options = { uid, hash: new URL(address).hash };
    const page = await harness.openReady({ body, init: breakElements('p', 99) }, options);
    expect(await barOf(page).count()).toBe(0);
  });
});

describe('an unexpected error', () => {
  it('is shown in the bar when the server sends something else than a pick', async () => {
    const { address } = await createPick();
    harness.fakeResponse = (path) => (path.endsWith('/picks') ? { status: 200, body: '{}' } : undefined);
    const page = await harness.open({ body }, { hash: new URL(address).hash });
    await barOf(page).getByText('Something went wrong').waitFor();
    harness.fakeResponse = undefined;
    await button(page, 'Try again').click();
    await button(page, 'Start picking').waitFor();
  });

  it('is shown in the bar when the page breaks the picker in the middle', async () => {
    const { page } = await startPicking();
    await page.evaluate(breakElements('h2', 1));
    await clickOn(page, '#save');
    await barOf(page).getByText('broken').waitFor();
    await button(page, 'Try again').click();
    await barOf(page).getByText('Picked button “Save”').waitFor();
  });

  it('does not become an error of the page when nothing can be painted', async () => {
    const { page } = await startPicking();
    await page.evaluate(breakElements('h2', 99));
    await clickOn(page, '#save');
    await button(page, 'End').click();
    await until(() => barOf(page).count()).toBe(0);
  });
});

describe('the bar', () => {
  it('works under a strict policy with Trusted Types', async () => {
    const policy = `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src ${harness.proxyUrl}; require-trusted-types-for 'script'; trusted-types usher`;
    const reports: string[] = [];
    const context = await harness.browser.newContext({ reducedMotion: 'reduce' });
    context.on('console', (message) => reports.push(message.text()));
    const headers = { 'Content-Security-Policy': policy, 'Cross-Origin-Opener-Policy': 'same-origin' };
    const { page } = await startPicking({ body, nonce: 'abc', headers }, { context });
    await clickOn(page, '#save');
    await barOf(page).getByText('Picked button “Save”').waitFor();
    expect(reports.filter((text) => !text.includes('favicon'))).toEqual([]);
    await context.close();
  });

  it.each(['light', 'dark'] as const)('has no violation that axe finds, %s', async (colorScheme) => {
    const context = await harness.browser.newContext({ colorScheme, reducedMotion: 'reduce' });
    const { page } = await openPicker({ body }, { context });
    expect(await violations(page)).toEqual([]);
    await button(page, 'Start picking').click();
    await outlineOf(page).waitFor();
    expect(await violations(page)).toEqual([]);
    await context.close();
  });

  it.each([
    ['left:0;top:0', 'below'],
    ['right:0;top:200px', 'above'],
    ['left:0;top:0;width:100%;height:100%', 'inside'],
  ])('names an element inside of the window: %s', async (place, side) => {
    const text = 'A name that is wider than the element';
    const { page } = await startPicking({
      body: `<button style="position:fixed;${place};width:60px" aria-label="${text}">…</button>`,
    });
    await page
      .locator('button[aria-label]')
      .first()
      .hover({ force: true, position: { x: 9, y: 9 } });
    await outlineOf(page).waitFor();
    expect(await outlineOf(page).getAttribute('data-label')).toBe(side);
    const { x = -1, y = -1, width = 0, height = 0 } = (await outlineOf(page).locator('span').boundingBox()) ?? {};
    const window = page.viewportSize() ?? { width: 0, height: 0 };
    expect([x >= -4, y >= 0, x + width <= window.width + 4, y + height <= window.height]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('moves to the other edge, and stays there', async () => {
    const { page } = await startPicking();
    expect((await barOf(page).boundingBox())?.y).toBeGreaterThan(300);
    await button(page, 'Move to the other edge').click();
    expect((await barOf(page).boundingBox())?.y).toBe(12);
    await page.reload();
    await barOf(page).getByText('Point at the element').waitFor();
    expect((await barOf(page).boundingBox())?.y).toBe(12);
  });

  it('fits a window of 320 pixels', async () => {
    const context = await harness.browser.newContext({ viewport: { width: 320, height: 568 } });
    const { page } = await startPicking({ body }, { context });
    const { x = 0, width = 0, height = 0 } = (await barOf(page).boundingBox()) ?? {};
    expect([x >= 0, x + width <= 320, height <= 284]).toEqual([true, true, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await context.close();
  });
});
