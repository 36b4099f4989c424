import type { Browser } from 'playwright-core';
import { launchTestBrowser } from '../../scripts/test-browser.ts';

let launched: Promise<Browser> | undefined;

/**
 * All files of a worker share one browser, which ends with the worker, because starting a browser takes as long as some
 * tests.
 */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

/** Closes all windows, at the end of a file. */
export async function closeContexts(): Promise<void> {
  const contexts = (await launched)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

function launch(): Promise<Browser> {
  // Vitest ends a worker with this signal. The listeners of `exit` kill the browser and remove its files.
  process.once('SIGTERM', () => process.exit());
  // Pages of one context and one site share a process, because starting a process takes longer than opening the page.
  return launchTestBrowser(['--renderer-process-limit=1']);
}
