import { type Browser, chromium, firefox } from 'playwright-core';
import { inject } from 'vitest';
import { findChromium } from './chromium.mjs';
import { findFirefox } from './firefox.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    browser: 'firefox' | undefined;
  }
}

/** As long as `expect.poll` waits. What has not come by then never comes. Firefox takes three times as long for a page. */
const MAX_WAIT_MS = { chromium: 15_000, firefox: 45_000 };

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  // Lets pages use an address that is not the machine itself.
  '--host-resolver-rules=MAP usher.test 127.0.0.1',
  // Pages of tests end before optimized code or small heaps pay off: without them a test takes a tenth less processor time.
  '--js-flags=--no-opt --no-maglev --min-semi-space-size=32 --max-semi-space-size=64',
];

/** Starts a browser for tests, never for benchmarks: it runs scripts without optimizing them. */
export async function launchTestBrowser(flags: string[] = []): Promise<Browser> {
  const name = inject('browser') ?? 'chromium';
  const browser = await (name === 'firefox' ? launchFirefox() : launchChromium(flags));
  browser.on('context', (context) => context.setDefaultTimeout(MAX_WAIT_MS[name]));
  return browser;
}

function launchChromium(flags: string[]): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: [...args, ...flags] });
}

interface BidiSession {
  send(method: string, params: object): Promise<unknown>;
}
interface Internals {
  _connection: { toImpl(browser: unknown): { _browserSession: BidiSession } };
}

/** The system's Firefox, which Playwright drives by WebDriver BiDi. The channel is only what selects the protocol. */
export async function launchFirefox(): Promise<Browser> {
  const executablePath = findFirefox();
  if (executablePath === undefined) throw new Error('Firefox is not installed. FIREFOX_PATH can name it.');
  // Firefox ESR cannot emulate these for one page.
  const firefoxUserPrefs = { 'ui.prefersReducedMotion': 1, 'dom.events.testing.asyncClipboard': true };
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs });
  const session = (browser as unknown as Internals)._connection.toImpl(browser)._browserSession;
  // Playwright sends this for each context, and Firefox ESR does not know the command.
  const sessions = Object.getPrototypeOf(session) as BidiSession;
  const { send } = sessions;
  sessions.send = function (method, params) {
    return method === 'emulation.setMediaFeaturesOverride' ? Promise.resolve({}) : send.call(this, method, params);
  };
  return browser;
}
