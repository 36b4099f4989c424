import fc from 'fast-check';

/*
 * What is drawn at random is the same in every run, so that a change is not refused for what another one brought.
 * USHER_SEED=random (or a number) draws anew, and fast-check prints the seed of what failed.
 */
const { USHER_SEED = '1' } = process.env;
if (USHER_SEED !== 'random') fc.configureGlobal({ seed: Number(USHER_SEED) });
