import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realPng } from '../../script/test/real-png.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { dropFile } from './drop-file.ts';
import { addExperience, field, inPreview, markdownOf, readExperience, saveNow, settings } from './editor-page.ts';
import { expectGoodLook } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const everything = `# A __title__ #

Hello {{ first_name | fallback: "there" }}, this is *new* and _good_.
A [link](https://example.com "Title") and \`code\`.

* one
* two
  1) nested

> A quote

~~~
code
~~~

***

![A chart](https://example.com/chart.png)

{{#if plan == "gold"}}
Thank **you**
{{/if}}

שלום`;

const open = async (body: string, options = {}) => {
  const id = await addExperience(dashboard, 'tour', { steps: [{ title: 'Hello', body }] });
  const page = await dashboard.open(`/app/experiences/${id}`, options);
  await text(page).waitFor();
  return { id, page, stored: async () => (await readExperience(dashboard, id)).steps[0].body };
};
const text = (page: Page) => field(page, 'Text');
const tool = (page: Page, name: string) =>
  settings(page).getByRole('toolbar').getByRole('button', { name, exact: true });
/** Puts the caret to the end of the text. */
const goToEnd = async (page: Page) => {
  await text(page).focus();
  await page.keyboard.press('Control+End');
};

/** Pastes as the browser does. */
const paste = (page: Page, data: Record<string, string>) =>
  text(page).evaluate((element, types) => {
    const clipboardData = new DataTransfer();
    for (const [type, content] of Object.entries(types)) clipboardData.setData(type, content);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);

const pastePicture = (page: Page, bytes: Uint8Array) =>
  text(page).evaluate(
    (element, content) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(content)], 'image.png', { type: 'image/png' }));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [...bytes],
  );

/** Whether the text of a block begins at its right side. */
const isAtRight = (block: Locator) =>
  block.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [line] = range.getClientRects();
    return Math.abs((line?.right ?? 0) - element.getBoundingClientRect().right) < 2;
  });

describe('the text editor', () => {
  it('writes nothing when a text is opened, and keeps the bytes of what is not changed', async () => {
    const { page, stored } = await open(everything);
    const writes: string[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && writes.push(request.url()));
    await text(page).focus();
    await page.keyboard.press('Tab');
    expect(await markdownOf(text(page))).toBe(everything);
    expect(writes).toEqual([]);
    await goToEnd(page);
    await page.keyboard.type(' 1');
    await saveNow(page);
    expect(await stored()).toBe(`${everything} 1`);
    await page.keyboard.press('Control+z');
    expect(await markdownOf(text(page))).toBe(everything);
    await saveNow(page);
    expect(await stored()).toBe(everything);
  });

  it('makes what typed Markdown means', async () => {
    const { page, stored } = await open('');
    await text(page).focus();
    await page.keyboard.type('# Welcome');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Some **bold** and *italic* `code` words');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('1. first');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('---');
    await page.keyboard.type('The [guide](https://example.com) costs 5 * 3');
    await saveNow(page);
    expect(await stored()).toBe(
      '# Welcome\n\nSome **bold** and *italic* `code` words\n\n- one\n- two\n\n1. first\n\n---\n\nThe [guide](https://example.com) costs 5 * 3',
    );
    await inPreview(page).getByRole('link', { name: 'guide' }).waitFor();
  });

  it('formats with the tools, which are one stop of the Tab key', async () => {
    const { page } = await open('one two');
    await text(page).selectText();
    await tool(page, 'Heading').click();
    expect(await markdownOf(text(page))).toBe('## one two');
    expect(await tool(page, 'Heading').getAttribute('aria-pressed')).toBe('true');
    await tool(page, 'Heading').click();
    await tool(page, 'Numbered list').click();
    expect(await markdownOf(text(page))).toBe('1. one two');
    await tool(page, 'List').click();
    expect(await markdownOf(text(page))).toBe('- one two');
    await tool(page, 'List').click();
    await tool(page, 'Quote').click();
    expect(await markdownOf(text(page))).toBe('> one two');
    await tool(page, 'Quote').click();
    expect(await markdownOf(text(page))).toBe('one two');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe('button Bold');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('button Italic');
    await page.keyboard.press('Enter');
    await expect.poll(() => markdownOf(text(page))).toBe('*one two*');
    expect(await focused(page)).toBe('textbox Text');
    await page.keyboard.press('Control+z');
    expect(await markdownOf(text(page))).toBe('one two');
  });

  it('writes, changes and removes links, and rejects addresses that browsers could run', async () => {
    const { page } = await open('Read this');
    await text(page).selectText();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Link' });
    await dialog.getByLabel('Address').fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await dialog.getByText('Give an address that begins with').waitFor();
    await dialog.getByLabel('Address').fill('example.com/a(b)');
    await page.keyboard.press('Enter');
    await expect.poll(() => markdownOf(text(page))).toBe('[Read this](https://example.com/a\\(b\\))');
    await expect.poll(() => focused(page)).toBe('textbox Text');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+k');
    await dialog.getByLabel('Text').fill('Read that');
    await dialog.getByRole('button', { name: 'Save link' }).click();
    await expect.poll(() => markdownOf(text(page))).toBe('[Read that](https://example.com/a\\(b\\))');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+k');
    await dialog.getByRole('button', { name: 'Remove link' }).click();
    await expect.poll(() => markdownOf(text(page))).toBe('Read that');
    await tool(page, 'Picture').click();
    const picture = page.getByRole('dialog', { name: 'Picture' });
    await picture.getByLabel('Or the address of a picture').fill('https://example.com/a.png');
    await picture.getByLabel('Description').fill('A map');
    await page.keyboard.press('Enter');
    await expect.poll(() => markdownOf(text(page))).toContain('![A map](https://example.com/a.png)');
  });

  it('shows values of the user as chips, which the keyboard inserts, changes and deletes', async () => {
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'ann', name: 'Ann Lee', plan: 'gold' });
    const { page } = await open('Your plan: {{plan | fallback: "none"}}!');
    const chip = text(page).locator('.text-editor-chip');
    expect(await chip.textContent()).toBe('plan');
    await page.getByRole('combobox', { name: 'As user' }).fill('Ann');
    await page.getByRole('option', { name: /Ann Lee/ }).click();
    await expect.poll(() => chip.textContent()).toBe('gold');
    await goToEnd(page);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change the value of the user' });
    await dialog.getByLabel('If it is empty, say').fill('free');
    await page.keyboard.press('Enter');
    await expect.poll(() => markdownOf(text(page))).toBe('Your plan: {{plan | fallback: "free"}}!');
    await expect.poll(() => focused(page)).toBe('textbox Text');
    await page.keyboard.press('Backspace');
    expect(await markdownOf(text(page))).toBe('Your plan: !');
    await text(page).fill('Hi {{first_name}}, {{ and **you**');
    expect(await chip.count()).toBe(1);
    expect(await markdownOf(text(page))).toBe('Hi {{first_name}}, \\{{ and \\*\\*you\\*\\*');
  });

  it('keeps of pasted documents what Markdown can say', async () => {
    const { page } = await open('');
    await text(page).focus();
    await paste(page, { 'text/plain': 'Some **Markdown**\n\n- one' });
    expect(await markdownOf(text(page))).toBe('Some **Markdown**\n\n- one');
    await page.keyboard.press('Control+z');
    const word = `<html><head><style>p.MsoNormal{color:red}</style></head><body><!--StartFragment-->
<h1 style="color:red">Plan<o:p></o:p></h1>
<p class=MsoNormal>A <b style='mso-bidi-font-weight:normal'>bold</b> <i>word</i> and <a href="https://example.com/">a link</a><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>one</p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span>&nbsp;</span></span><![endif]>inner</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;</span></span><![endif]>two</p>
<p class=MsoNormal>{{plan}} <img src="file:///C:/a.png"><a href="javascript:alert(1)">bad</a></p>
<!--EndFragment--></body></html>`;
    await paste(page, { 'text/html': word, 'text/plain': 'Plan' });
    expect(await markdownOf(text(page))).toBe(
      '# Plan\n\nA **bold** *word* and [a link](https://example.com/)\n\n- one\n  - inner\n- two\n\n{{plan}} bad',
    );
    await page.keyboard.press('Control+z');
    const docs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-size:11pt;font-weight:400;font-style:normal">Plain </span><span style="font-weight:700">bold</span><span style="font-style:italic"> italic</span></p><ol><li dir="ltr"><p dir="ltr" role="presentation"><span>one</span></p></li><ul><li><p><span>inner</span></p></li></ul></ol><table><tr><td><p>a</p></td><td><p>b</p></td></tr></table></b>`;
    await paste(page, { 'text/html': docs });
    expect(await markdownOf(text(page))).toBe('Plain **bold** *italic*\n\n1. one\n   - inner\n\na\n\nb');
  });

  it('uploads pictures that are chosen, dropped and pasted, and asks for their description', async () => {
    const { page, stored } = await open('Look');
    const dialog = page.getByRole('dialog', { name: 'Picture' });
    await goToEnd(page);
    await tool(page, 'Picture').click();
    expect(await dialog.getByRole('button', { name: 'Insert picture' }).isDisabled()).toBe(true);
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(realPng(40, 20)) });
    await dialog.getByLabel('Description').fill('A map');
    await dialog.getByRole('button', { name: 'Insert picture' }).click();
    await expect.poll(() => markdownOf(text(page))).toMatch(/^Look!\[A map\]\(\/media\/\w+\/\w+-40x20\.png\)$/);
    await text(page).getByRole('img', { name: 'A map' }).waitFor();
    const naturalWidth = () =>
      text(page)
        .locator('img')
        .first()
        .evaluate((one: HTMLImageElement) => one.naturalWidth);
    await expect.poll(naturalWidth).toBe(40);
    await inPreview(page).getByRole('img', { name: 'A map' }).waitFor();
    // A selected picture is changed with Enter.
    await expect.poll(() => focused(page)).toBe('textbox Text');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Description').fill('A chart');
    await page.keyboard.press('Enter');
    await expect.poll(() => markdownOf(text(page))).toContain('![A chart](/media/');
    await expect.poll(() => focused(page)).toBe('textbox Text');
    const path = joinPath(mkdtempSync(joinPath(tmpdir(), 'usher-files-')), 'dropped.png');
    writeFileSync(path, realPng(31, 20));
    await dropFile(page, path, await text(page).boundingBox());
    await dialog.getByRole('button', { name: 'Upload another picture' }).waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await page.keyboard.type('Dropped');
    await page.keyboard.press('Enter');
    await expect.poll(() => markdownOf(text(page))).toMatch(/!\[Dropped\]\(\/media\/\w+\/\w+-31x20\.png\)/);
    await goToEnd(page);
    await pastePicture(page, realPng(30, 20));
    await dialog.getByLabel('Description').fill('Pasted');
    await page.getByRole('button', { name: 'Insert picture' }).click();
    await expect.poll(() => markdownOf(text(page))).toMatch(/!\[Pasted\]\(\/media\/\w+\/\w+-30x20\.png\)$/);
    await saveNow(page);
    expect(await stored()).toBe(await markdownOf(text(page)));
    const file = joinPath(mkdtempSync(joinPath(tmpdir(), 'usher-files-')), 'notes.pdf');
    writeFileSync(file, 'no picture');
    await dropFile(page, file, await text(page).boundingBox());
    await dialog.getByText(/notes\.pdf is not a PNG/).waitFor();
  });

  it('makes nothing dangerous or slow of hostile HTML', async () => {
    const { page } = await open('');
    await text(page).focus();
    const hostile = `<p onclick="alert(1)" data-pm-slice='9 9 ["evil",null]'>a<script>alert(1)</script><img src=x onerror=alert(1)>
<iframe src="javascript:alert(1)"></iframe><svg onload=alert(1)><style>p{}</style></svg><a href=" java\tscript:alert(1)">b</a>
<a href="data:text/html,x">c</a><span data-merge-tag="{{#if x}}">d</span><object data=x></object><base href="https://evil.test/">
<form action="https://evil.test"><input value=e><button>f</button></form><math><mtext>g</mtext></math></p>`;
    await paste(page, { 'text/html': hostile });
    const markdown = await markdownOf(text(page));
    expect(markdown.replaceAll(/[\s\\]/g, '')).toBe('abcdfg');
    expect(markdown).not.toMatch(/script|alert|evil|onerror|data:|!\[/);
    expect(await text(page).locator('script, iframe, svg, form, img[onerror], [onclick]').count()).toBe(0);
    await page.keyboard.press('Control+z');
    const nested = `${'<table><tr><td>x'.repeat(300)}${'</td></tr></table>'.repeat(300)}`;
    const list = `${'<ul><li>y'.repeat(60)}${'</li></ul>'.repeat(60)}`;
    const started = Date.now();
    for (const html of [nested, list, '<style>'.repeat(30_000), `<p>${'z '.repeat(20_000)}`, '<b><i>'.repeat(3_000)]) {
      await paste(page, { 'text/html': html });
      await page.keyboard.press('Control+z');
    }
    await paste(page, { 'text/plain': `a${' '.repeat(50_000)}b` });
    await page.keyboard.press('Control+z');
    await paste(page, { 'text/plain': 'Words that **matter**. '.repeat(9_000) });
    expect(Date.now() - started).toBeLessThan(20_000);
    expect((await markdownOf(text(page))).length).toBeGreaterThan(200_000);
    await page.keyboard.press('Control+z');
    expect(await markdownOf(text(page))).toBe('');
  });

  it('keeps the caret and the letters beside chips, in both directions', async () => {
    const { page } = await open('{{plan}}');
    await text(page).focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' is');
    await page.keyboard.press('Home');
    await page.keyboard.type('Your ');
    expect(await markdownOf(text(page))).toBe('Your {{plan}} is');
    // The first key selects the chip, and the second one passes it.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('!');
    expect(await markdownOf(text(page))).toBe('Your {{plan}}! is');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    expect(await markdownOf(text(page))).toBe('Your  is');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => markdownOf(text(page))).toContain('{{plan}}');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('שלום 👩‍👩‍👧 e\u0301');
    expect(await markdownOf(text(page))).toBe('שלום 👩‍👩‍👧 e\u0301');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Control+End');
    for (const _ of 'abcd') await page.keyboard.press('Backspace');
    expect(await markdownOf(text(page))).toBe('שלום');
    expect(await isAtRight(text(page).locator('p'))).toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    expect(await markdownOf(text(page))).toBe('');
    await page.keyboard.type('again');
    expect(await markdownOf(text(page))).toBe('again');
  });

  it('shows each block in the direction of its text, also items of lists', async () => {
    const { page } = await open('שלום\n\n- אחת\n\n> שתיים\n\nleft');
    for (const words of ['שלום', 'אחת', 'שתיים'])
      expect(await isAtRight(text(page).locator('p', { hasText: words }))).toBe(true);
    expect(await isAtRight(text(page).locator('p', { hasText: 'left' }))).toBe(false);
    for (const tag of ['ul', 'blockquote'])
      expect(
        await text(page)
          .locator(tag)
          .evaluate((one) => getComputedStyle(one).direction),
      ).toBe('rtl');
  });

  it('replaces everything that is selected by what is typed', async () => {
    const { page } = await open(everything);
    await text(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('new');
    expect(await markdownOf(text(page))).toMatch(/^(# )?new$/);
    await page.keyboard.press('Control+z');
    expect(await markdownOf(text(page))).toBe(everything);
  });

  it('takes over what an input method composes', async () => {
    const { page } = await open('Hello');
    await goToEnd(page);
    const session = await page.context().newCDPSession(page);
    for (const part of ['n', 'に', 'にほ', 'にほん'])
      await session.send('Input.imeSetComposition', {
        text: part,
        selectionStart: part.length,
        selectionEnd: part.length,
      });
    await session.send('Input.insertText', { text: '日本' });
    await expect.poll(() => markdownOf(text(page))).toBe('Hello日本');
    await page.keyboard.type(' **x**');
    await expect.poll(() => markdownOf(text(page))).toBe('Hello日本 **x**');
  });

  it('undoes across saves, one step after the other, and never writes what was not there', async () => {
    const { page, stored } = await open('One');
    await goToEnd(page);
    await page.keyboard.type(' two');
    await saveNow(page);
    await tool(page, 'Heading').click();
    await saveNow(page);
    expect(await stored()).toBe('## One two');
    await page.keyboard.type(' three');
    await saveNow(page);
    for (const expected of ['## One two', 'One two', 'One']) {
      await page.keyboard.press('Control+z');
      await expect.poll(() => markdownOf(text(page))).toBe(expected);
    }
    await page.keyboard.press('Control+z');
    expect(await markdownOf(text(page))).toBe('One');
    for (const expected of ['One two', '## One two', '## One two three']) {
      await page.keyboard.press('Control+Shift+z');
      await expect.poll(() => markdownOf(text(page))).toBe(expected);
    }
    await saveNow(page);
    expect(await stored()).toBe('## One two three');
  });

  it('lets the text be edited as the Markdown that is stored', async () => {
    const { page } = await open('Hello *you*');
    await tool(page, 'Edit as Markdown').click();
    await text(page).fill('Hello _all_');
    await settings(page).getByRole('button', { name: 'Edit as formatted text' }).click();
    await text(page).locator('em').getByText('all').waitFor();
    expect(await markdownOf(text(page))).toBe('Hello _all_');
  });

  it('says its name, its problem and that it has several lines', async () => {
    const { page } = await open('Go [here](javascript:x)');
    const problem = await text(page).getAttribute('aria-describedby');
    expect(await text(page).getAttribute('role')).toBe('textbox');
    expect(await text(page).getAttribute('aria-multiline')).toBe('true');
    expect(await text(page).getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(`[id="${problem}"]`).textContent()).toContain('needs an address');
    // A text that cannot be read is edited as it is written, and becomes formatted text when it can.
    await text(page).fill('Go [here](/start)');
    await page.keyboard.press('Tab');
    await text(page).locator('a').getByText('here').waitFor();
    expect(await markdownOf(text(page))).toBe('Go [here](/start)');
  });

  it('can only be read by people who may not edit', async () => {
    const { page } = await open('Hello **you**', { as: 'viewer' });
    expect(await text(page).getAttribute('aria-readonly')).toBe('true');
    expect(await settings(page).getByRole('toolbar').count()).toBe(0);
    await text(page).focus();
    await page.keyboard.type('x');
    expect(await markdownOf(text(page))).toBe('Hello **you**');
  });

  it('looks good, in light, dark and on a phone', async () => {
    for (const isDark of [false, true])
      for (const width of [1440, 375]) {
        const { page } = await open(everything, { isDark, width, height: 1000 });
        await text(page).scrollIntoViewIfNeeded();
        await text(page).focus();
        const name = `text-editor-${isDark ? 'dark' : 'light'}${width === 375 ? '-phone' : ''}`;
        await expectGoodLook(page, name, 'section[aria-label="Settings"]');
        await takePicture(page, `${name}-page`);
      }
  });
});
