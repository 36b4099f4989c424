/**
 * Creates a random generator that returns the same numbers for the same seed.
 * @param {number} seed
 */
export function createRandom(seed) {
  let state = seed | 0;
  /** Returns a number from 0 up to, but not including, 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /** @param {number} share */
    chance: (share) => next() < share,
    /** @param {number} count */
    below: (count) => Math.floor(next() * count),
    /**
     * @template T
     * @param {readonly T[]} list a list that is not empty
     * @returns {T}
     */
    pick: (list) => /** @type {T} */ (list[Math.floor(next() * list.length)]),
  };
}

/** @typedef {ReturnType<typeof createRandom>} Random */
