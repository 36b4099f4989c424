import { runFigures } from '../bench/harness.mjs';
import { killUnderLoad } from './figures/kill.mjs';

/*
 * npm run reliability                          everything, on both engines
 * npm run reliability -- --engine sqlite       without PostgreSQL
 * npm run reliability -- --quick               a few times only: whether it works
 */
await runFigures({ kill: killUnderLoad });
