import { mkdirSync } from 'node:fs';
import { openPage, show, startBrowser, violations } from './kinds-page.ts';
// @ts-ignore
import { gallery } from '/tmp/gallery-data.ts';
const only = process.argv[2];
const variants = [['1440', 'light', 'ltr'], ['1440', 'dark', 'ltr'], ['375', 'light', 'ltr'], ['375', 'dark', 'rtl'], ['1440', 'light', 'rtl'], ['320','light','ltr']].filter((v) => !process.argv[3] || v.join('-').startsWith(process.argv[3]));
mkdirSync('/tmp/shots-s2', { recursive: true });
process.chdir("/tmp");
const browser = await startBrowser();
for (const [w, scheme, dir] of variants) {
  for (const [name, given] of Object.entries(gallery)) {
    if (only && !name.match(only)) continue;
    const small = Number(w) < 500;
    const page = await openPage(browser, { viewport: { width: Number(w), height: small ? 667 : 800 }, colorScheme: scheme as any, dir: dir as any });
    page.on('pageerror', (e) => console.log(name, 'ERROR', e.message));
    const { open, hover, icon, many, ...experience } = given as any;
    if (many) for (const [i, at] of ['center', 'top', 'bottom', 'top_left', 'top_right', 'bottom_left', 'bottom_right'].entries()) await show(page, { id: 'e' + i, kind: 'launcher', trigger: ['help', 'list', 'bell', 'book', 'chat', 'star', 'spark'][i], screen_position: at as any, list_type: i % 2 ? 'checklist' : 'default', items: [{ id: 'x', kind: 'tour', campaign_id: 'c', title: ['X'] }] });
    else await show(page, { id: 'e', ...experience });
    if (open) await page.evaluate(() => window.kinds.open());
    if (hover) { await page.hover(hover); await page.locator('.tip').waitFor(); }
    if (icon) await page.locator('.hint').click();
    if (name.endsWith('-other')) await page.locator('select').selectOption({ index: 4 });
    await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
    await page.screenshot({ path: `/tmp/shots-s2/${w}-${scheme}-${dir}-${name}.png` });
    if (!process.env.NOAXE) for (const v of await violations(page)) console.log(name, w, scheme, v);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (wide) console.log(name, w, 'page scrolls sideways');
    await page.close();
  }
}
await browser.close();
