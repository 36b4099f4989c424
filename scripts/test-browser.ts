import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';

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

let running: Promise<Browser> | undefined;

/**
 * A browser for tests, never for benchmarks: it runs scripts without optimizing them. The test files of a worker share one, because
 * starting it takes as long as a test. Closing it closes what was opened in it; it ends with the worker.
 */
export async function launchTestBrowser(): Promise<Browser> {
  if (!(await running)?.isConnected()) running = start();
  return sharing((await running) as Browser);
}

function start(): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({ ...(executablePath !== undefined && { executablePath }), args });
}

function sharing(browser: Browser): Browser {
  const contexts = new Set<BrowserContext>();
  const own: Partial<Browser> = {
    newContext: async (options) => {
      const context = await browser.newContext(options);
      contexts.add(context);
      return context;
    },
    newPage: async (options) => {
      const page = await browser.newPage(options);
      contexts.add(page.context());
      return page;
    },
    contexts: () => browser.contexts().filter((context) => contexts.has(context)),
    close: async () => {
      for (const context of browser.contexts()) if (contexts.has(context)) await context.close();
    },
  };
  return new Proxy(browser, {
    get: (_, name) => {
      const value = Reflect.get(Object.hasOwn(own, name) ? own : browser, name);
      return typeof value === 'function' ? value.bind(browser) : value;
    },
  });
}
