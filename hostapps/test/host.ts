import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import type { HostApp } from './apps.ts';
import { type Records, recordPage } from './record.ts';

const { url, secret } = inject('usher');
type Kind = 'tour' | 'survey' | 'launcher';
export interface Created {
  id: string;
  steps: { id: string }[];
}

/** Sends a request of an administrator. */
export async function api<Body>(method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-Account-Secret': secret, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

/** A user of the application. No other user sees the Experiences that are created for this user. */
export interface TestUser {
  uid: string;
  create(kind: Kind, fields: object): Promise<Created>;
}

let count = 0;
export async function createUser(): Promise<TestUser> {
  const uid = `user ${process.pid} ${++count}`;
  const items = [{ kind: 'property', prop: 'test_user', op: 'eq', value: uid }];
  const { segment } = await api<{ segment: { id: string } }>('POST', '/v3/edit/segments', { name: uid, items });
  return {
    uid,
    create: async (kind, fields) => {
      const input = { name: kind, published_at: '$now', segment_ids: [segment.id], ...fields };
      return (await api<Record<string, Created>>('POST', `/v3/edit/${kind}s`, input))[kind] as Created;
    },
  };
}

/** Opens an application as a user and waits until it is ready. */
export async function openApp(
  browser: Browser,
  app: Pick<HostApp, 'url' | 'ready' | 'ownErrors'>,
  user: { uid: string },
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await createPage(browser, app, user, options);
  await page.goto(app.url);
  await app.ready(page);
  return page;
}

/** Creates an empty page for an application. Its own errors are expected, errors because of Usher are not. */
export async function createPage(
  browser: Browser,
  app: Pick<HostApp, 'ownErrors'>,
  { uid }: { uid: string },
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${error.stack}`));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  onTestFinished(() => expect(errors.filter((text) => !app.ownErrors?.test(text))).toEqual([]));
  await page.addInitScript(recordPage);
  await page.addInitScript(`window.currentUser = ${JSON.stringify(uid)}`);
  return page;
}

export const box = (page: Page, name: string): Locator => page.locator('usher-layer').getByRole('dialog', { name });
export const press = (page: Page, name: string) =>
  page
    .locator('usher-layer')
    .getByRole(/^\d+$/.test(name) ? 'radio' : 'button', { name, exact: true })
    .click();

export function readRecords(page: Page): Promise<Records> {
  return page.evaluate(() => {
    const { records } = window as never as { records: Records };
    const copy = structuredClone(records);
    records.leaks.length = records.unstoppable.length = records.darkFrames.length = 0;
    return copy;
  });
}

/** Checks that the application has noticed nothing so far. */
export async function expectNoTrace(page: Page): Promise<void> {
  const { leaks, darkFrames } = await readRecords(page);
  expect({ leaks, darkFrames }).toEqual({ leaks: [], darkFrames: [] });
}
