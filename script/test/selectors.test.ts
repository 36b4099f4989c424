import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Candidate, suggest } from '../src/picker/selectors/suggest.ts';
import { closeContexts, sharedBrowser } from './shared-browser.ts';

type Suggestion = ReturnType<typeof suggest>;

let page: Page;
let code = '';
beforeAll(async () => {
  page = await (await sharedBrowser()).newPage();
  const source = (path: string) => JSON.stringify(fileURLToPath(new URL(`../src/${path}`, import.meta.url)));
  const contents = `export { suggest } from ${source('picker/selectors/suggest.ts')}; export { find } from ${source('page/find.ts')};`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'selectors', tsconfigRaw: {} },
  });
  code = outputFiles[0]?.text ?? '';
});
afterAll(closeContexts);

/**
 * Suggests how to find the element that the page has as `window.target`, or the one with the attribute `target`, which
 * is removed first.
 */
async function suggestFor(body: string, script = ''): Promise<Suggestion> {
  await page.setContent(`<!doctype html><body>${body}</body>`);
  await page.addScriptTag({ content: code });
  return page.evaluate(`(() => {
    let target = document.querySelector('[target]');
    ${script};
    target.removeAttribute('target');
    window.target = target;
    return selectors.suggest(target);
  })()`) as Promise<Suggestion>;
}

/** Whether each of the candidates, and all of them together, find the target. */
const findsTarget = (candidates: Candidate[]) =>
  page.evaluate(
    `[...${JSON.stringify(candidates)}.map((one) => [one]), ${JSON.stringify(candidates)}].map((all) => selectors.find(all).element === window.target)`,
  ) as Promise<boolean[]>;

const selectorsOf = ({ candidates }: Suggestion) => candidates.map(({ selector }) => selector);
const firstOf = ({ candidates }: Suggestion) => candidates[0] as Candidate;

describe('suggest', () => {
  it.each([
    ['[data-usher="save"]', 100, '<button target data-usher=save id=save-button>Save</button>'],
    ['[data-testid="save"]', 100, '<button target data-testid=save id=save-button>Save</button>'],
    ['#save-button', 90, '<button target id=save-button class=save name=save>Save</button>'],
    ['input[name="email"]', 60, '<input target name=email class=email-field><input name=other>'],
    [
      'input[name="plan"][value="pro"]',
      61,
      '<input type=radio name=plan value=free><input target type=radio name=plan value=pro>',
    ],
    ['a[href="/settings"]', 55, '<a href=/>Home</a><a target href=/settings class=nav-link>Settings</a>'],
    ['a[href$="/settings"]', 54, '<a href=/en/home>Home</a><a target href=/en/settings>Settings</a>'],
    ['button[aria-label="Close"]', 50, '<button target aria-label=Close class=close-dialog>x</button>'],
    [
      '.save-action',
      45,
      '<button target class="btn mt-4 is-active save-action css-1x2y3z">x</button><button class=btn>y</button>',
    ],
    [
      '[class*="Toolbar_save__"]',
      42,
      '<button target class="Toolbar_save__a1B2c flex">x</button><button class=flex>y</button>',
    ],
  ])('prefers %s', async (selector, score, body) => {
    expect(firstOf(await suggestFor(body))).toMatchObject({ selector, score, matches: 1 });
  });

  it('never uses names that a tool has generated', async () => {
    const suggestion = await suggestFor(
      '<div class="css-1x2y3z flex"><button id=":r1:" class="sc-bdVaJa px-3 hover:bg-gray-50 active" target>Save</button><button>Other</button></div>',
    );
    expect(JSON.stringify(suggestion)).not.toMatch(/css-|:r1|sc-|px-3|hover|active|flex/);
    expect(firstOf(suggestion)).toMatchObject({ selector: 'button', text: 'Save', kind: 'text' });
  });

  it('looks inside of an ancestor with a name if the element itself occurs more than once', async () => {
    const suggestion = await suggestFor(
      '<div data-testid=list><i class=trash>x</i></div><section><div data-testid=basket><div><i target class=trash>x</i></div></div></section>',
    );
    expect(firstOf(suggestion)).toMatchObject({ selector: '[data-testid="basket"] .trash', kind: 'token' });
  });

  it('looks inside of a landmark that occurs once', async () => {
    const body = '<nav><a class=entry-link href=#>A</a></nav><footer><a target class=entry-link href=#>A</a></footer>';
    expect(firstOf(await suggestFor(body)).selector).toBe('footer .entry-link');
  });

  it('suggests two that do not depend on the language, two with text, and one by position at the end', async () => {
    const suggestion = await suggestFor(
      '<nav id=menu><a href=/home>Home</a><a target href=/billing data-cy=billing class=billing-link aria-label="Your billing">Billing</a></nav>',
    );
    const kinds = suggestion.candidates.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'token')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'text')).toHaveLength(2);
    expect(kinds.at(-1)).toBe('positional');
    expect(await findsTarget(suggestion.candidates)).toEqual(Array(6).fill(true));
    expect(suggestion.attribute).toBe('data-usher="your-billing"');
  });

  it('says that nothing but the position describes an element', async () => {
    const suggestion = await suggestFor('<div><p></p><p>1</p><p target>2</p></div>');
    expect(suggestion.candidates).toMatchObject([{ kind: 'positional', matches: 1 }]);
    expect(await findsTarget(suggestion.candidates)).toEqual([true, true]);
  });

  it('does not take a numbered name for a name', async () => {
    const suggestion = await suggestFor('<p id=step-1>Sign in</p><p target id=step-2>Pay the bill</p>');
    expect(suggestion.candidates.map(({ kind }) => kind)).toEqual(['text', 'text', 'positional']);
    expect(selectorsOf(suggestion).at(-1)).toBe('#step-2');
  });

  it('finds an element whose only double is hidden, and counts both', async () => {
    const suggestion = await suggestFor('<a hidden class=pricing-link>P</a><p><a target class=pricing-link>P</a></p>');
    expect(firstOf(suggestion)).toMatchObject({ selector: '.pricing-link', matches: 2, score: 37 });
  });

  it('describes an element in an open shadow root by its host', async () => {
    const inside = `target = document.querySelector('x-rating').attachShadow({ mode: 'open' });
      target.innerHTML = '<button class=less>Less</button><button class=more-stars>More</button>'; target = target.querySelector('.more-stars')`;
    const suggestion = await suggestFor('<x-other></x-other><x-rating></x-rating>', inside);
    expect(firstOf(suggestion)).toMatchObject({ selector: 'x-rating', shadow_selector: '.more-stars', kind: 'token' });
    expect(await findsTarget(suggestion.candidates)).not.toContain(false);
  });

  it('describes an element in a shadow root inside of another one, level by level', async () => {
    const inside = `const outer = document.querySelector('x-outer').attachShadow({ mode: 'open' }); outer.innerHTML = '<x-inner></x-inner>';
      target = outer.querySelector('x-inner').attachShadow({ mode: 'open' }); target.innerHTML = '<b id=deep>b</b>'; target = target.querySelector('b')`;
    const suggestion = await suggestFor('<x-outer></x-outer>', inside);
    expect(firstOf(suggestion)).toMatchObject({ selector: 'x-outer', shadow_selector: 'x-inner >>> #deep' });
    expect(await findsTarget(suggestion.candidates)).not.toContain(false);
  });

  it('describes a cell by the key of its row, which stays with the record when rows are sorted', async () => {
    const cells = (key: string) =>
      `<div row-id="${key}" role=row><div col-id=name>Ann</div><div col-id=price${key === '4711' ? ' target' : ''}>5</div></div>`;
    const suggestion = await suggestFor(
      `<div role=grid>${['17', '4711', '9'].map(cells).join('')}</div><div class=pinned>${'<div row-id="4711" role=row></div>'}</div>`,
    );
    expect(firstOf(suggestion)).toMatchObject({ selector: '[row-id="4711"] [col-id="price"]', kind: 'token' });
    await page.evaluate(() => {
      const grid = document.querySelector('[role=grid]');
      grid?.append(...[...grid.children].reverse());
    });
    expect((await findsTarget(suggestion.candidates.filter(({ kind }) => kind !== 'positional'))).includes(false)).toBe(
      false,
    );
  });

  it.each(['data-row-key', 'data-id', 'row-key', 'data-item-id'])('takes %s for the key of a record', async (name) => {
    const suggestion = await suggestFor(
      `<ul><li ${name}="8f1c22aa-01"><button target>Edit</button></li><li ${name}="77aa01ce-02"><button>Edit</button></li></ul>`,
    );
    expect(firstOf(suggestion).selector).toContain(`[${name}="8f1c22aa-01"]`);
    expect(firstOf(suggestion).kind).not.toBe('positional');
  });

  it.each([
    ['row-id', ['0', '1', '2', '3']],
    ['row-id', ['3', '0', '2', '1']],
    ['data-row-key', ['row-11', 'row-12', 'row-13', 'row-10']],
  ])('takes numbers without a gap in %s for the positions of rows', async (name, values) => {
    const rows = values.map(
      (value, at) => `<div ${name}="${value}" role=row><div col-id=price${at === 1 ? ' target' : ''}>5</div></div>`,
    );
    const { candidates } = await suggestFor(`<div role=grid>${rows.join('')}</div>`);
    expect(candidates.map(({ kind }) => kind)).toEqual(['positional']);
    const row = await suggestFor(`<div role=grid>${rows.join('').replace('role', 'target role')}</div>`);
    expect(row.candidates.map(({ kind }) => kind)).toEqual(['positional']);
  });

  it.each([[['3', '17', '204']], [['4710', '4711', '4712']]])('takes %j for the keys of records', async (values) => {
    const rows = values.map((value, at) => `<li data-id=${value}><button${at === 1 ? ' target' : ''}>Edit</button>`);
    const suggestion = await suggestFor(`<ul>${rows.join('')}</ul>`);
    expect(firstOf(suggestion)).toMatchObject({ selector: `[data-id="${values[1]}"] button`, kind: 'text' });
  });

  it('does not trust classes of a minifier', async () => {
    const suggestion = await suggestFor('<div class="fc-Rw"><b class="fc-aBc" target>7</b></div><div><b>8</b></div>');
    expect(JSON.stringify(suggestion)).not.toMatch(/fc-/);
  });

  it('describes an element in a frame of the same origin', async () => {
    const inside = `target = document.querySelector('iframe').contentDocument.querySelector('#framed')`;
    const suggestion = await suggestFor('<iframe srcdoc="<p id=framed>Framed</p>"></iframe>', inside);
    expect(firstOf(suggestion)).toMatchObject({ selector: '#framed', score: 90 });
  });

  it('never reads what users type', async () => {
    const type = `target.value = 'secret words'; document.querySelector('textarea').value = 'secret words'`;
    const suggestion = await suggestFor('<form><input target type=text name=note><textarea></textarea></form>', type);
    expect(JSON.stringify(suggestion)).not.toContain('secret');
  });

  it('survives names and texts that are not valid in a selector', async () => {
    const suggestion = await suggestFor(
      `<form target data-testid='say"]hi\\there' id="say.hello(you)" class="a:b x\\y"><input name=attributes><input name=id><input name=type>Say "hi" \\ there</form>`,
    );
    expect(suggestion.candidates.length).toBeGreaterThan(1);
    expect(await findsTarget(suggestion.candidates)).not.toContain(false);
  });

  it('suggests an attribute that no element has', async () => {
    expect((await suggestFor('<b data-usher=save>x</b><button target>Save</button>')).attribute).toBe(
      'data-usher="save-2"',
    );
    expect((await suggestFor('<button target data-usher=mine>Save</button>')).attribute).toBe('data-usher="mine"');
    expect((await suggestFor('<p></p><canvas target></canvas>')).attribute).toBe('data-usher="canvas"');
  });
});

describe('find', () => {
  const find = (elements: object[]) =>
    page.evaluate(
      `(() => { const { element, reason } = selectors.find(${JSON.stringify(elements)}); return element?.id ?? reason })()`,
    );
  const show = async (body: string) => {
    await page.setContent(`<!doctype html><body>${body}</body>`);
    await page.addScriptTag({ content: code });
  };

  it('prefers a description with one visible match to an earlier one with several', async () => {
    await show('<p id=a class=x>A</p><p id=b class="x y">B</p><p id=c class=y hidden>C</p>');
    expect(await find([{ selector: '.x' }, { selector: '.y' }])).toBe('b');
    expect(await find([{ selector: '.x' }, { selector: '.z' }])).toBe('a');
    expect(await find([{ selector: '#a' }, { selector: '#b' }])).toBe('a');
  });

  it('uses the first of several matches if no description has only one', async () => {
    await show('<p id=a class=x hidden>A</p><p id=b class=x>B</p><p id=c class="x y">C</p><p id=d class=y>D</p>');
    expect(await find([{ selector: '.x' }, { selector: '.y' }])).toBe('b');
    expect(await find([{ selector: '.z' }, { selector: '#a' }])).toBe('hidden');
  });
});
