import { counter, type Metric } from './metric.ts';

interface Description<Value extends string> {
  name: string;
  help: string;
  label: string;
  /** All values of the label. Each of them is exported from the start, so that the first increase is seen too. */
  values: readonly Value[];
}

/** Counts what happens, by one label. */
export class Counter<Value extends string> {
  readonly #description: Description<Value>;
  readonly #counts: Record<Value, number>;

  constructor(description: Description<Value>) {
    this.#description = description;
    this.#counts = Object.fromEntries(description.values.map((value) => [value, 0])) as Record<Value, number>;
  }

  count(value: Value): void {
    this.#counts[value] += 1;
  }

  read(): Metric {
    const { name, help, label } = this.#description;
    return counter(name, help, { label, values: this.#counts });
  }
}
