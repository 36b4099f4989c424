import { type CountedFunnelStep, type Millis, medianOf } from '@usher/domain';

/** Counts people by how far they came. */
export class FunnelCounter {
  readonly #people: number[];
  /** For each step after the first one: how often it took so many seconds. */
  readonly #seconds: Map<number, number>[];

  constructor(steps: number) {
    this.#people = Array.from({ length: steps }, () => 0);
    this.#seconds = this.#people.map(() => new Map());
  }

  /** @param times when the person did each of the steps, as far as they came */
  add(times: readonly Millis[]): void {
    for (const [at, time] of times.entries()) {
      this.#people[at] = (this.#people[at] ?? 0) + 1;
      if (at === 0) continue;
      const seconds = roundToTwoDigits((time - (times[at - 1] ?? time)) / 1000);
      const known = this.#seconds[at];
      known?.set(seconds, (known.get(seconds) ?? 0) + 1);
    }
  }

  get steps(): CountedFunnelStep[] {
    const share = (people: number, of = 0) => (of === 0 ? null : people / of);
    return this.#people.map((people, at) => ({
      people,
      share_of_first: share(people, this.#people[0]),
      share_of_previous: share(people, this.#people[Math.max(at - 1, 0)]),
      median_seconds: medianOf([...(this.#seconds[at] ?? [])].map(([value, count]) => ({ value, count }))),
    }));
  }
}

/** The median of rounded values is the rounded median, and there are a few hundred different ones at most. */
function roundToTwoDigits(value: number): number {
  const whole = Math.round(value);
  const unit = 10 ** Math.max(0, String(whole).length - 2);
  return Math.round(whole / unit) * unit;
}
