import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { PageExperience } from '../src/kind.ts';

/* A page of a product on which the kinds are shown, without a server: what it would be told is kept. */

declare global {
  interface Window {
    kinds: {
      calls: unknown[];
      show(experience: PageExperience, options?: unknown): void;
      open(): void;
      clear(): void;
    };
  }
}

const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
}

const address = 'https://app.example.com/';
const kinds = ['tour', 'survey', 'launcher', 'tooltip', 'embed'];
let script: Promise<string> | undefined;

export interface PageOptions extends BrowserContextOptions {
  body?: string;
  css?: string;
  dir?: 'ltr' | 'rtl';
}

export async function openPage(
  browser: Browser,
  { body = product, css = '', dir = 'ltr', ...context }: PageOptions = {},
): Promise<Page> {
  script ??= bundle();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...context });
  const html = `<!doctype html><html lang="en" dir="${dir}"><meta name="viewport" content="width=device-width"><title>Product</title><style>${look}${css}</style><body>${body}</body></html>`;
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(address);
  await page.evaluate(await script);
  return page;
}

async function bundle(): Promise<string> {
  const contents = ['./kinds-core.ts', '../src/stage.ts', ...kinds.map((kind) => `../src/kinds/${kind}.ts`)];
  const { outputFiles } = await build({
    stdin: {
      contents: contents.map((file) => `import '${file}';`).join('\n'),
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

export function show(page: Page, experience: Partial<PageExperience>, options?: unknown): Promise<void> {
  return page.evaluate(([one, given]) => window.kinds.show(one as PageExperience, given), [
    experience,
    options,
  ] as const);
}

/** What the kinds told and asked since the last time. */
export function calls(page: Page): Promise<unknown[]> {
  return page.evaluate(() => window.kinds.calls.splice(0));
}

/** What axe finds wrong with the page, and with all that is shown on it. */
export async function violations(page: Page): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const found = await axe.run();
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
<div class="card"><h2>Visitors</h2><p>9,310 this week, most of them on Tuesday.</p></div>
<div class="card"><h2 id="churn">Churn</h2><p>1.4 %, the lowest in a year.</p></div></div></main>`;
