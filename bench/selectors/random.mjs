/**
 * Random choices that can be repeated. A choice by name does not depend on the choices before it, so an element gets the same attributes
 * before and after a deploy.
 * @param {string} seed
 */
export function createRandom(seed) {
  /** A number from 0 to 1 for the name. @param {string} name */
  const at = (name) => hashOf(`${seed}/${name}`) / 2 ** 32;
  let count = 0;
  const next = () => at(`#${count++}`);
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => /** @type {T} */ (list[Math.floor(next() * list.length)]);
  return {
    at,
    next,
    pick,
    /** @param {number} min @param {number} max */
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    /** @template T @param {readonly T[]} list */
    shuffle: (list) =>
      list
        .map((value) => ({ value, rank: next() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ value }) => value),
    /** Letters and digits as a build makes them. @param {string} name @param {number} length */
    letters: (name, length) =>
      Array.from({ length }, (_, index) => alphabet[Math.floor(at(`${name}:${index}`) * alphabet.length)]).join(''),
  };
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The FNV-1a hash, mixed again because similar names must differ in all bits. @param {string} text */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
