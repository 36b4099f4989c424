import { fileURLToPath } from 'node:url';
import { experienceKinds } from '@usher/domain/kinds';
import axe from 'axe-core';
import { build } from 'esbuild';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { cssText } from '../css-plugin.mjs';
import type { PageExperience } from '../src/wire.ts';
import type { Kinds } from './kinds-core.ts';
import { gallery } from './kinds-gallery.ts';
import { sharedBrowser } from './shared-browser.ts';

/* A page of a product that shows the kinds without a server, and records what the server would receive. */

declare global {
  interface Window {
    kinds: Kinds;
  }
}

export const HREF = 'https://app.example.com/';
let script: Promise<string> | undefined;

export interface PageOptions {
  body?: string;
  css?: string;
  /** Attributes of the root element. */
  html?: string;
}

export async function openPage(options?: PageOptions, context?: BrowserContextOptions): Promise<Page> {
  script ??= bundle();
  const browser = await sharedBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...context });
  await page.addInitScript(await script);
  await load(page, options);
  return page;
}

/** Loads the page again, or another page. Opening a new page takes ten times as long. */
export async function load(page: Page, { body = product, css = '', html = '' }: PageOptions = {}): Promise<void> {
  const text = `<!doctype html><html lang="en" ${html}><meta name="viewport" content="width=device-width"><title>Product</title><style>${look}${css}</style><body>${body}</body></html>`;
  await page.unrouteAll();
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: text }));
  await page.goto(HREF);
}

async function bundle(): Promise<string> {
  const contents = [
    './kinds-core.ts',
    '../src/renderer.ts',
    '../src/extras.ts',
    '../src/scripts.ts',
    '../src/media.ts',
    '../src/tour-extras.ts',
    '../src/questions.ts',
    ...experienceKinds.map((kind) => `../src/kinds/${kind}.ts`),
  ];
  const { outputFiles } = await build({
    stdin: {
      contents: contents.map((file) => `import '${file}';`).join('\n'),
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    plugins: [cssText],
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

export function show(page: Page, experience: Partial<PageExperience>, startStepId?: string): Promise<void> {
  // The Experience is passed as text, because the type of a rich text is infinitely deep.
  return page.evaluate(([text, startStepId]) => window.kinds.show(JSON.parse(text as string), undefined, startStepId), [
    JSON.stringify(experience),
    startStepId,
  ] as const);
}

export function clear(page: Page): Promise<void> {
  return page.evaluate(() => window.kinds.clear());
}

/** Shows one Experience of the gallery alone, and opens it if users have to open it. */
export async function showAlone(page: Page, name: string): Promise<void> {
  const experience = gallery[name] as PageExperience;
  await clear(page);
  await page.mouse.move(1, 1);
  await show(page, experience);
  if (experience.kind === 'launcher') await page.evaluate(() => window.kinds.open());
  if (name === 'a tooltip') await page.hover('#churn');
  if (name === 'a tooltip at an icon') await page.locator('.hint').click();
  await page.locator('.box').waitFor();
}

/** Returns the calls of the kinds since the last time. */
export function calls(page: Page): Promise<unknown[]> {
  return page.evaluate(() => window.kinds.calls.splice(0));
}

/** Returns the name of the element that has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = document.activeElement;
    const inner = active?.shadowRoot?.activeElement ?? active;
    return inner?.getAttribute('aria-label') ?? inner?.textContent?.trim() ?? '';
  });
}

/** Returns the problems that axe finds in the page and in all Experiences on it. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const found = await (window as unknown as { axe: typeof axe }).axe.run();
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
    );
  });
}

const look = `*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#222b3a;background:#f5f6f9}
header{display:flex;gap:20px;align-items:center;padding:14px 24px;background:#fff;border-bottom:1px solid #e4e7ee}
main{max-width:1000px;margin:0 auto;padding:28px 24px;display:grid;gap:20px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:16px}
.card{background:#fff;border:1px solid #e4e7ee;border-radius:10px;padding:18px}
button,input{font:inherit}header nav{display:flex;gap:16px;margin-inline-end:auto}
#new{background:#222b3a;color:#fff;border:0;border-radius:8px;padding:8px 14px}
@media(prefers-color-scheme:dark){body{background:#12151c;color:#e4e8f0}header,.card{background:#191d26;border-color:#2b3140}#new{background:#e4e8f0;color:#12151c}}`;

const product = `<header><strong>Orbit</strong><nav><span>Home</span><span>Reports</span></nav><button id="new">New report</button></header>
<main><h1 id="head">Reports</h1><div id="slot"></div><label>Search <input id="search"></label>
<div class="cards"><div class="card" id="one"><h2>Revenue</h2><p>$ 48,200 this month, 12 % more than in the last.</p></div>
<div class="card"><h2>Users</h2><p>9,310 this week, most of them on Tuesday.</p></div>
<div class="card"><h2 id="churn">Churn</h2><p>1.4 %, the lowest in a year.</p></div></div></main>`;
