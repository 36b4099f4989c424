import { beside } from './figures/beside.mjs';
import { large } from './figures/large.mjs';
import { runFigures } from './harness.mjs';

/*
 * npm run bench:large                          with a million users, on both engines
 * npm run bench:large -- --engine sqlite       without PostgreSQL
 * npm run bench:large -- --only beside         the figures whose name contains this
 * npm run bench:large -- --quick               tiny sizes, to check that it works
 * BENCH_PROFILES=20000 npm run bench:large     with fewer users
 * BENCH_BESIDE=batch npm run bench:large -- --only beside    beside the work whose name contains this
 */

await runFigures({ large, beside });
