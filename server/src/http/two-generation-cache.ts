import type { Millis } from '@usher/domain';

const MAX_ENTRIES = 50_000;

/**
 * Remembers values by two keys for a while: at least for `lifetime` after each was last asked for, unless more than
 * `most` others were asked for since. It holds twice as many at most, whoever makes up keys, and asking for one that is
 * there allocates nothing.
 */
export class TwoGenerationCache<Value> {
  readonly #lifetime: Millis;
  readonly #most: number;
  #young = new Map<string, Map<string, Value>>();
  #old = new Map<string, Map<string, Value>>();
  #youngSize = 0;
  #oldSize = 0;
  #bornAt: Millis = 0;

  constructor(lifetime: Millis, most = MAX_ENTRIES) {
    this.#lifetime = lifetime;
    this.#most = most;
  }

  get(group: string, key: string, now: Millis): Value | undefined {
    this.#age(now);
    const value = this.#young.get(group)?.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(group)?.get(key);
    if (older !== undefined) this.set(group, key, older, now);
    return older;
  }

  set(group: string, key: string, value: Value, now: Millis): void {
    if (this.#youngSize >= this.#most) this.#replace(now);
    let keys = this.#young.get(group);
    if (!keys) {
      keys = new Map();
      this.#young.set(copyOf(group), keys);
    }
    const { size } = keys;
    keys.set(copyOf(key), value);
    this.#youngSize += keys.size - size;
  }

  /** How many are held. */
  get size(): number {
    return this.#youngSize + this.#oldSize;
  }

  #age(now: Millis): void {
    const age = now - this.#bornAt;
    // A clock that was set back says nothing about the age.
    if (age >= this.#lifetime || age < 0) this.#replace(now);
  }

  #replace(now: Millis): void {
    this.#old = this.#young;
    this.#oldSize = this.#youngSize;
    this.#young = new Map();
    this.#youngSize = 0;
    this.#bornAt = now;
  }
}

/** A part of a text keeps all of it in memory, and what clients send may be a part of 16 KB of headers. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
