import { it } from 'vitest';

const { USHER_TEST_MODE: mode, USHER_TEST_NAMED: isNamed } = process.env;

/**
 * A test that `npm test` leaves out, because another test is very similar. `npm run test:all` and a run that names the
 * file include it.
 */
export const itInAll = it.skipIf((mode === 'default' || mode === 'quick') && isNamed !== '1');
