import type { Metric } from './metric.ts';

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface Series {
  labels: { method: string; route: string };
  statuses: Map<number, number>;
  counts: number[];
  sum: number;
}

/** Counts requests and their times. Routes are named by their pattern, never by a URL. */
export class RequestMetrics {
  readonly #series = new Map<string, Series>();

  observe(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route}`;
    let series = this.#series.get(key);
    if (!series) {
      series = { labels: { method, route }, statuses: new Map(), counts: buckets.map(() => 0), sum: 0 };
      this.#series.set(key, series);
    }
    series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
    series.sum += seconds;
    const bucket = buckets.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
  }

  read(): Metric[] {
    const all = [...this.#series.values()];
    return [
      {
        name: 'usher_http_requests_total',
        type: 'counter',
        help: 'Requests that got a response.',
        samples: all.flatMap(requestSamples),
      },
      {
        name: 'usher_http_request_seconds',
        type: 'histogram',
        help: 'Time from a request to its response.',
        samples: all.flatMap(durationSamples),
      },
    ];
  }
}

function requestSamples({ labels, statuses }: Series): Metric['samples'] {
  return [...statuses].map(([status, value]) => ({
    name: 'usher_http_requests_total',
    labels: { ...labels, status: String(status) },
    value,
  }));
}

function durationSamples({ labels, statuses, counts, sum }: Series): Metric['samples'] {
  const name = 'usher_http_request_seconds';
  const total = [...statuses.values()].reduce((left, right) => left + right, 0);
  let below = 0;
  const bounded = buckets.map((bound, index) => {
    below += counts[index] ?? 0;
    return { name: `${name}_bucket`, labels: { ...labels, le: String(bound) }, value: below };
  });
  return [
    ...bounded,
    { name: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: total },
    { name: `${name}_sum`, labels, value: sum },
    { name: `${name}_count`, labels, value: total },
  ];
}
