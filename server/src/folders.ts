import { fileURLToPath } from 'node:url';

/** Seen from the bundle as from the sources, both lie two folders below the root. */
const root = new URL('../../', import.meta.url);

/** The browser script, as `script/build.mjs` leaves it. */
export const scriptFolder = fileURLToPath(new URL('script/dist/', root));
export const demoFolder = fileURLToPath(new URL('examples/demo/', root));

/** The bundles that threads start from, also where the rest of the server runs from its sources. */
export const bundleFolder = new URL('../dist/', import.meta.url);
