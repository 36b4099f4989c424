import { setTimeout as pause } from 'node:timers/promises';

/*
 * `expect.extend(matchers)` of Playwright Test adds `await expect(page).toShowExperience('Welcome')`. If the page does not show the
 * Experience, the debug panel of the page says why.
 */

const DEFAULT_TIMEOUT_MS = 5000;
const POLL_MS = 100;
/** How long the panel may take to open, and the server to explain. */
const MAX_EXPLAIN_MS = 3000;

export const matchers = {
  async toShowExperience(page, experience, options = {}) {
    const { timeout = DEFAULT_TIMEOUT_MS } = options;
    const isNot = this?.isNot ?? false;
    const server = readServer(options);
    const id = await findId(experience, server);
    const until = Date.now() + timeout;
    let pass = await isShowing(page, id);
    while (pass === isNot && Date.now() < until) {
      await pause(POLL_MS);
      pass = await isShowing(page, id);
    }
    const reasons = pass || isNot ? [] : await explain(page, id, server);
    const what = `“${experience}”${experience === id ? '' : ` (${id})`}`;
    const message = pass
      ? `The page shows ${what}, and should not`
      : [`The page has not shown ${what} within ${timeout} ms`, ...reasons.map((reason) => `  ${reason}`)].join('\n');
    return { name: 'toShowExperience', pass, message: () => message };
  },
};

function readServer({ server = process.env.USHER_URL, secret = process.env.ACCOUNT_SECRET }) {
  return server && secret ? { url: server.replace(/\/+$/, ''), secret } : undefined;
}

async function findId(experience, server) {
  if (/^[0-9a-f]{24}$/.test(experience)) return experience;
  if (!server)
    throw new Error(
      `Only your Usher knows which Experience is “${experience}”: set USHER_URL and ACCOUNT_SECRET, or give its ID`,
    );
  const query = new URLSearchParams({ search: experience, state: 'live', fields: 'list', limit: '500' });
  const { experiences } = await callApi(server, `/v3/edit/experiences?${query}`);
  const [only, ...others] = experiences.filter(({ name }) => name === experience).map(({ id }) => id);
  if (!only) throw new Error(`No live Experience has the name “${experience}”`);
  if (others.length > 0)
    throw new Error(
      `Several live Experiences have the name “${experience}”: give the ID, ${[only, ...others].join(' or ')}`,
    );
  return only;
}

async function callApi({ url, secret }, path, init = {}) {
  const headers = { 'Content-Type': 'application/json', 'X-Account-Secret': secret };
  const response = await fetch(url + path, { ...init, headers });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  throw new Error(`${url} answered ${response.status}: ${[body.messages ?? 'is it an Usher?'].flat().join(' ')}`);
}

async function isShowing(page, id) {
  // The page may be navigating.
  return (await page.evaluate((id) => window.usher?.isShowing?.(id), id).catch(() => false)) === true;
}

/** Reads the debug panel, which says what each Experience waits for. With a secret, the server explains the others too. */
async function explain(page, id, server) {
  const hasLoaded = await page.evaluate(() => window.usher && !!window.usher.kind).catch(() => undefined);
  if (hasLoaded === undefined) return ['The page has no `usher`: is the snippet in it?'];
  if (!hasLoaded) return ['The script of Usher has not loaded: does the page reach the server?'];
  const token = server && (await createDebugToken(server));
  const panel = page.getByRole('region', { name: 'Usher debug' });
  const row = panel.locator('.debug-entry', { hasText: id });
  try {
    await page.evaluate((token) => window.usher.debug(token), token);
    await panel.waitFor({ timeout: MAX_EXPLAIN_MS });
    // Without a row, the problem of the whole page or the hint of the panel is the reason.
    await row.waitFor({ timeout: MAX_EXPLAIN_MS }).catch(() => {});
    const problem = await panel.locator('.debug-problem').allTextContents();
    const notes = await row.locator('ul li').allTextContents();
    const hint = notes.length > 0 ? [] : await panel.locator('.debug-in > .debug-note').allTextContents();
    await panel.getByRole('button', { name: 'Close (Escape)' }).click();
    return [...problem, ...notes, ...hint].filter(Boolean);
  } catch (error) {
    return [`The debug panel could not be read: ${error.message.split('\n')[0]}`];
  }
}

async function createDebugToken(server) {
  const { debug_token } = await callApi(server, '/v3/edit/debug_tokens', { method: 'POST', body: '{"ttl":300}' });
  return debug_token.token;
}
