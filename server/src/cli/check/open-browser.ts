import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { CommandError } from '../errors.ts';
import { browserNames, findBrowserFile } from './browser-files.js';

/** Starts the browser of this machine. Only this command needs it, so `playwright-core` need not be installed for anything else. */
export async function openBrowser(env: Record<string, string | undefined>): Promise<Browser> {
  const { chromium } = await import('playwright-core').catch(() => {
    throw new CommandError(
      'playwright-core is not installed, and this command opens pages with it: npm install --save-dev playwright-core',
    );
  });
  const executablePath = findBrowserFile(env as NodeJS.ProcessEnv, chromium.executablePath());
  if (executablePath === undefined || !existsSync(executablePath))
    throw new CommandError(
      env.CHROMIUM_PATH
        ? `CHROMIUM_PATH is not a browser: ${env.CHROMIUM_PATH}`
        : `Chromium or Chrome is not installed. Looked for ${browserNames.join(', ')} in PATH and for ${chromium.executablePath()}. Run npx playwright-core install --with-deps chromium, or set CHROMIUM_PATH`,
    );
  // Containers of CI run as root, where the sandbox does not start.
  const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args });
}
