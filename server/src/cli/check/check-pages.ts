import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Finding, StepSketch } from '@usher/domain';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type CheckResult, checkKey, checkStates, type PageBox } from '../../../../script/src/check/check-result.ts';
import { messageOf } from '../../error-code.ts';
import { scriptFolder } from '../../folders.ts';
import { CommandError } from '../errors.ts';
import type { LiveStep } from './live-steps.ts';
import type { Plan, PlannedPage } from './plan-pages.ts';

export interface StepReport {
  step: LiveStep;
  state: CheckResult['state'] | 'not_reached';
  /** The problem, as the dashboard names it. */
  reason: Exclude<Finding, 'found' | 'error'> | null;
  /** The page with the best result. */
  path: string | null;
  /** How many pages were opened for it. */
  pages: number;
  /** The description that finds it, from 0. */
  by: number | null;
  /** The descriptions that do not find it any more. */
  lost: number[];
  /** The element in a few words. */
  element: string | null;
  proposal: Record<string, string>[] | null;
  /** Why it was not reached. */
  note: string | null;
  /** The file of a picture of the page. */
  picture: string | null;
}

export interface CheckOptions {
  /** Without a password. */
  url: string;
  credentials: { username: string; password: string };
  storageState: string | undefined;
  /** How long an element may take to appear. */
  waitMs: number;
  pictures: { folder: string; sketches: ReadonlyMap<string, StepSketch['sketch']> } | undefined;
  onPage(path: string, at: number, count: number): void;
}

const MAX_LOAD_MS = 30_000;
/** A check of a thousand elements in a large page takes a second. */
const MAX_EVALUATE_MS = 15_000;
const MAX_CLOSE_MS = 5000;
const POLL_MS = 100;
const VIEWPORT = { width: 1440, height: 900 };
/** The best state first: a step is as well as on its best page. */
const order: readonly StepReport['state'][] = [...checkStates, 'not_reached'];

/** Opens the pages one after another, and returns what was found for each step. */
export async function checkPages(
  browser: Browser,
  steps: readonly LiveStep[],
  { pages, unreached }: Plan,
  options: CheckOptions,
): Promise<StepReport[]> {
  const reports = new Map(
    steps.map((step) => [step, { ...notReached(unreached.get(step) ?? 'its page was not opened'), step }]),
  );
  const context = await openContext(browser, options);
  try {
    for (const [at, page] of pages.entries()) {
      const open = page.steps.filter((step) => reports.get(step)?.state !== 'found');
      if (open.length === 0) continue;
      options.onPage(page.path, at, pages.length);
      const isBetter = ({ step, state }: StepReport) => {
        const before = reports.get(step) as StepReport;
        return before.path === null || order.indexOf(state) < order.indexOf(before.state);
      };
      for (const report of await checkPage(context, { ...page, steps: open }, options, isBetter)) {
        const before = reports.get(report.step) as StepReport;
        reports.set(report.step, { ...(isBetter(report) ? report : before), pages: before.pages + 1 });
      }
    }
  } finally {
    await context.close();
  }
  return [...reports.values()];
}

async function openContext(
  browser: Browser,
  { url, credentials, storageState }: CheckOptions,
): Promise<BrowserContext> {
  const { origin } = new URL(url);
  const context = await browser
    .newContext({
      ...(storageState !== undefined && { storageState }),
      viewport: VIEWPORT,
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      ignoreHTTPSErrors: true,
      acceptDownloads: false,
      ...(credentials.username !== '' && {
        httpCredentials: {
          username: decodeURIComponent(credentials.username),
          password: decodeURIComponent(credentials.password),
          origin,
        },
      }),
    })
    .catch((error) => {
      throw new CommandError(`--storage-state cannot be read: ${messageOf(error)}`);
    });
  // The pages may have the snippet. Nothing that the check does may count as a user.
  await context.route(/\/v3\/observe\//, (route) => route.abort());
  return context;
}

async function checkPage(
  context: BrowserContext,
  planned: PlannedPage,
  options: CheckOptions,
  isBetter: (report: StepReport) => boolean,
): Promise<StepReport[]> {
  const page = await context.newPage();
  // Pages that it opens, even without end, are not checked.
  page.on('popup', (popup) => void popup.close().catch(() => {}));
  try {
    const address = addressOf(planned.path, options.url);
    const leave = (problem: string) =>
      planned.steps.map((step) => ({ ...notReached(problem), step, path: planned.path }));
    const problem = await open(page, address);
    if (problem) return leave(problem);
    const results = await pollElements(page, planned.steps, options.waitMs);
    if (typeof results === 'string') return leave(results);
    const landed = new URL(page.url());
    const placeOf = ({ origin, pathname }: URL) => origin + pathname.replace(/\/$/, '');
    const isElsewhere = placeOf(landed) !== placeOf(address);
    const reports = planned.steps.map((step, at) =>
      toReport(step, results[at] as CheckResult, planned.path, isElsewhere ? landed : undefined),
    );
    for (const report of reports)
      if (options.pictures && !/found|by_place|not_reached/.test(report.state) && isBetter(report))
        report.picture = await takePicture(page, report, options.pictures).catch((error) => {
          if (error instanceof PageBusy) return null;
          throw error;
        });
    return reports;
  } finally {
    await within(MAX_CLOSE_MS, page.close()).catch(() => {});
  }
}

/** Where a path is in the build. Paths of users can begin with `//`, which would be the name of another host. */
export function addressOf(path: string, url: string): URL {
  return new URL(`${new URL(url).origin}/${path.replace(/^[/\\]+/, '')}`);
}

/** Rejects when something takes too long: a page that is busy without end answers nothing. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PageBusy('it did not answer')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class PageBusy extends Error {}

/** Returns why the page cannot be checked, if so. */
async function open(page: Page, address: URL): Promise<string | undefined> {
  try {
    const response = await page.goto(address.href, { waitUntil: 'load', timeout: MAX_LOAD_MS });
    const status = response?.status() ?? 200;
    return status >= 400 ? `the page answered ${status}` : undefined;
  } catch (error) {
    const [line = ''] = messageOf(error).split('\n');
    if (/ERR_CONNECTION|ERR_NAME_NOT_RESOLVED|ERR_ADDRESS/.test(line))
      throw new CommandError(`${address.origin} cannot be opened: does your build run there? (${line})`);
    return `the page did not load: ${line}`;
  }
}

/** Checks until all elements are found, or for as long as an element may take to appear. Returns why it cannot, if so. */
async function pollElements(page: Page, steps: readonly LiveStep[], waitMs: number): Promise<CheckResult[] | string> {
  const until = Date.now() + waitMs;
  const list = steps.map(({ elements, isInline }) => ({ elements, isInline }));
  for (;;) {
    const results = await evaluate<CheckResult[]>(page, 'check', list).catch((error) => {
      if (error instanceof CommandError) throw error;
      if (error instanceof PageBusy) return `the page could not be checked: ${error.message}`;
      // The page has navigated meanwhile.
      return Date.now() < until ? undefined : `the page could not be checked: ${messageOf(error).split('\n')[0]}`;
    });
    if (typeof results === 'string') return results;
    if (results && (Date.now() >= until || results.every(({ state }) => state === 'found'))) return results;
    await pause(POLL_MS);
  }
}

let script: Promise<string> | undefined;

/** Calls a function of the script that is added to the page. A policy of the page does not stop it. */
async function evaluate<Result>(page: Page, name: 'check' | 'outline' | 'removeOutline', input?: unknown) {
  script ??= readFile(join(scriptFolder, 'check.js'), 'utf8').catch(() => {
    script = undefined;
    throw new CommandError('the browser script is not built: npm run build');
  });
  const key = `window[Symbol.for(${JSON.stringify(checkKey)})]`;
  const code = `(() => { if (!${key}) { ${await script} } return ${key}.${name}(${JSON.stringify(input) ?? ''}) })()`;
  return (await within(MAX_EVALUATE_MS, page.evaluate(code))) as Result;
}

function toReport(step: LiveStep, result: CheckResult, path: string, elsewhere: URL | undefined): StepReport {
  const { state, reason, by, lost = [], element, proposal } = result;
  if (state === 'missing' && elsewhere)
    return { ...notReached(`${path} leads to ${elsewhere.pathname}: is --storage-state missing?`), step, path };
  if (state === 'missing' && step.needsActions)
    return { ...notReached('users must click something on the page before'), step, path };
  return {
    ...{ step, state, path, pages: 1, picture: null, note: null },
    reason: reason ?? ({ covered: 'covered', several: 'ambiguous' } as const)[state as 'covered'] ?? null,
    ...{ by: by ?? null, lost, element: element ?? null },
    proposal: (proposal as StepReport['proposal'] | undefined) ?? null,
  };
}

function notReached(note: string): Omit<StepReport, 'step'> {
  const none = { reason: null, path: null, by: null, lost: [], element: null, proposal: null, picture: null };
  return { state: 'not_reached', pages: 0, note, ...none };
}

/** Takes a picture of the page, with the place of the element outlined: where it is, or where it was when it was picked. */
async function takePicture(
  page: Page,
  { step }: StepReport,
  { folder, sketches }: NonNullable<CheckOptions['pictures']>,
): Promise<string> {
  const { elements, isInline } = step;
  // It scrolls to the element: the last check was of another step.
  const [result] = await evaluate<CheckResult[]>(page, 'check', [{ elements, isInline }]);
  const place = result?.box ?? placeIn(sketches.get(step.id));
  if (place) await evaluate(page, 'outline', place);
  const path = join(folder, `${step.experience.id}-${step.number || 'launcher'}.png`);
  await page.screenshot({ path });
  await evaluate(page, 'removeOutline');
  return path;
}

/** The sketch may be of a wider or narrower window. */
function placeIn(sketch: StepSketch['sketch'] | undefined): PageBox | undefined {
  if (!sketch) return undefined;
  const scale = VIEWPORT.width / sketch.width;
  const [x = 0, y = 0, width = 0, height = 0] = sketch.target.map((value) => value * scale);
  return { x, y, width, height };
}
