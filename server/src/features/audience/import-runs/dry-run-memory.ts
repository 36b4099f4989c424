import { createHash } from 'node:crypto';
import { emailKey } from '@usher/domain';
import { ApiError } from '../../../errors.ts';
import type { ImportItem, RowOutcome } from './apply-rows.ts';

/** The table of so many keys has 64 MB. */
const MAX_KEYS = 4_000_000;

/**
 * What the earlier chunks of a dry run would have created or deleted. Each chunk is rolled back, so that the database does not know.
 * Beyond MAX_KEYS records, one that appears in two chunks is counted twice.
 */
export class DryRunMemory {
  readonly #keys = new HashSet();

  /** Returns false if an earlier row has deleted this record. */
  deletes(id: string): boolean {
    return this.#keys.add(id);
  }

  /** Corrects what became of rows whose record an earlier row has created. */
  correct(items: readonly ImportItem[], outcomes: readonly RowOutcome[]): RowOutcome[] {
    return outcomes.map((outcome, at) => this.#correctOne(items[at] as ImportItem, outcome));
  }

  #correctOne(item: ImportItem, outcome: RowOutcome): RowOutcome {
    const email = 'email' in item && typeof item.email === 'string' ? `email ${emailKey(item.email)}` : undefined;
    if (item.uid === undefined) {
      const isMissing = outcome === 'ignored' || (outcome instanceof ApiError && outcome.code === 404);
      return isMissing && email !== undefined && this.#keys.has(email) ? 'updated' : outcome;
    }
    if (outcome !== 'created' && outcome !== 'updated') return outcome;
    if (email !== undefined) this.#keys.add(email);
    return outcome === 'created' && !this.#keys.add(`uid ${item.uid}`) ? 'updated' : outcome;
  }
}

/** Hashes of texts, in 16 to 32 bytes each. A Set of the texts takes several times as much. */
class HashSet {
  #slots = new Float64Array(1024);
  #size = 0;

  has(text: string): boolean {
    const hash = hashOf(text);
    return this.#slots[this.#slotOf(hash)] === hash;
  }

  /** Returns whether it is new. */
  add(text: string): boolean {
    const hash = hashOf(text);
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] === hash) return false;
    if (this.#size >= MAX_KEYS) return true;
    this.#slots[slot] = hash;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  /** The slot with this hash, or the free one where it belongs. */
  #slotOf(hash: number): number {
    let slot = hash % this.#slots.length;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== hash) slot = (slot + 1) % this.#slots.length;
    return slot;
  }

  #grow(): void {
    const hashes = this.#slots;
    this.#slots = new Float64Array(hashes.length * 2);
    for (const hash of hashes) if (hash !== 0) this.#slots[this.#slotOf(hash)] = hash;
  }
}

/** Returns 53 bits, never 0, which marks a free slot. Two of 4 million texts have the same hash in one of 1,000 dry runs. */
function hashOf(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return digest.readUIntBE(0, 6) * 32 + ((digest[6] as number) & 31) || 1;
}
