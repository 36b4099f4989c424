import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';

/** As long as `expect.poll` waits. What takes longer never comes. */
const MAX_WAIT_MS = 15_000;

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  // An address that is not the machine itself.
  '--host-resolver-rules=MAP usher.test 127.0.0.1',
  // Pages of tests end before optimized code or small heaps pay off: without them a test takes a tenth less processor time.
  '--js-flags=--no-opt --no-maglev --min-semi-space-size=32 --max-semi-space-size=64',
];

/** Starts a browser for tests, never for benchmarks: it runs scripts without optimizing them. */
export async function launchTestBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args });
  browser.on('context', (context) => context.setDefaultTimeout(MAX_WAIT_MS));
  return browser;
}
