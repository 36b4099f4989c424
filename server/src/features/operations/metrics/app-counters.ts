import { Counter } from '../../../metrics/counter.ts';
import { counter, type Metric } from '../../../metrics/metric.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** The counts for the metrics. */
    readonly counters: AppCounters;
  }
}

/** Counts what verbs do. HTTP, the storage and webhooks have counters of their own. */
export class AppCounters {
  readonly pageLoads = new Counter({
    name: 'usher_page_loads_total',
    help: 'Page loads that got a response, by whether the user was known, new, or new and over the quota of the day.',
    label: 'outcome',
    values: ['known', 'new', 'not_stored'],
  });
  /** Failed sign-ins are not counted by reason: readers of the metrics must not find out which emails exist. */
  failedSignIns = 0;

  readonly read = (): Metric[] => [
    this.pageLoads.read(),
    counter('usher_sign_in_failures_total', 'Attempts to sign in with a wrong password or email.', this.failedSignIns),
  ];
}
