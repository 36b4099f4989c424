import { recordOf } from '@usher/domain';
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
    this.#counts = recordOf(description.values, () => 0);
  }

  count(value: Value): void {
    this.#counts[value] += 1;
  }

  read(): Metric {
    const { name, help, label } = this.#description;
    return counter(name, help, { label, values: this.#counts });
  }
}
