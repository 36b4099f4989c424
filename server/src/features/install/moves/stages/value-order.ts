import type { CustomPatch, Sample, SeenProperty, Value } from '@usher/domain';
import type { MoveRun } from '../move-run.ts';
import { readText } from '../read-record.ts';

/** For each Property, the position of its values in the other service: the most recent first. */
export type ValueOrder = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The order is in memory only: a value belongs to a user, and goes when the user is forgotten. */
export async function readValueOrder(run: MoveRun, kind: 'profile' | 'company'): Promise<ValueOrder> {
  const order = new Map<string, Map<string, number>>();
  for (const hidden of ['false', 'true'])
    for (const record of await run.source.listIfKnown('/v3/edit/properties', 'properties', { kind, hidden })) {
      const prop = readText(record.prop);
      if (prop === null || !Array.isArray(record.values)) continue;
      order.set(`${kind} ${prop}`, new Map(record.values.map((value, at) => [JSON.stringify(value), at])));
    }
  return order;
}

/** Collects the values of a page that the other service lists, and says in which order a Property has them. */
export class OrderedSamples {
  readonly #order: ValueOrder | undefined;
  readonly #found = new Map<string, Map<string, Sample>>();

  /** Without an order, the values of a page are the most recent ones. */
  constructor(order: ValueOrder | undefined) {
    this.#order = order;
  }

  add(kind: SeenProperty['kind'], of: string, patch: CustomPatch): void {
    for (const [prop, value] of Object.entries(patch) as [string, Value | null][]) {
      const key = `${kind} ${prop}`;
      const text = JSON.stringify(value);
      if (value === null || !this.#order?.get(key)?.has(text)) continue;
      const found = this.#found.get(key) ?? new Map<string, Sample>();
      this.#found.set(key, found.set(text, { value, of }));
    }
  }

  /** The samples to register for a Property that has the `known` ones. */
  of({ kind, prop, samples }: SeenProperty, known: readonly Sample[]): readonly Sample[] {
    if (!this.#order) return samples;
    const key = `${kind} ${prop}`;
    const positions = this.#order.get(key);
    // Without a list, the first page has the newest users.
    if (!positions?.size) return known.length > 0 ? [] : samples;
    const all = [...known, ...(this.#found.get(key)?.values() ?? [])];
    const positionOf = ({ value }: Sample) => positions.get(JSON.stringify(value)) ?? positions.size;
    return all.toSorted((one, other) => positionOf(one) - positionOf(other));
  }
}
