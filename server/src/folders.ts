import { fileURLToPath } from 'node:url';

/** The bundle and the sources are both two folders below the root. */
const root = new URL('../../', import.meta.url);

/** The browser script, as built by `script/build.mjs`. */
export const scriptFolder = fileURLToPath(new URL('script/dist/', root));
/** The dashboard, as built by `dashboard/build.mjs`. */
export const dashboardFolder = fileURLToPath(new URL('dashboard/dist/app/', root));
export const demoFolder = fileURLToPath(new URL('examples/demo/', root));
/** The guides, as Markdown. */
export const docsFolder = fileURLToPath(new URL('docs/', root));

/** Threads start from bundles, even if the rest of the server runs from its sources. */
export const bundleFolder = new URL('../dist/', import.meta.url);
