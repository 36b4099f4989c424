import { scriptIdle, scriptPage, scriptSize } from './figures/script.mjs';
import { runFigures } from './harness.mjs';

/*
 * npm run bench:script                   the size of the browser script, and what it does to a page
 * npm run bench:script -- --only size    the figures whose name contains this
 */

await runFigures({ 'script.size': scriptSize, 'script.page': scriptPage, 'script.idle': scriptIdle }, ['sqlite']);
