import { monitorEventLoopDelay } from 'node:perf_hooks';

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface Series {
  labels: string;
  statuses: Map<number, number>;
  counts: number[];
  sum: number;
}

/** Counts requests, for Prometheus. Routes are named by their pattern, never by a URL. */
export class Metrics {
  readonly #series = new Map<string, Series>();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.#delay.enable();
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route}`;
    let series = this.#series.get(key);
    if (!series) {
      series = {
        labels: `method="${method}",route="${route}"`,
        statuses: new Map(),
        counts: buckets.map(() => 0),
        sum: 0,
      };
      this.#series.set(key, series);
    }
    series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
    series.sum += seconds;
    const bucket = buckets.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
  }

  stop(): void {
    this.#delay.disable();
  }

  /** Renders the text format of Prometheus. The figures of the outbox are left out if the storage is unavailable. */
  render({ attempts, outbox }: WebhookFigures): string {
    const memory = process.memoryUsage();
    const cpu = process.cpuUsage();
    return [
      '# HELP usher_http_requests_total Requests that got a response.',
      '# TYPE usher_http_requests_total counter',
      ...this.#requests(),
      '# HELP usher_http_request_seconds Time from a request to its response.',
      '# TYPE usher_http_request_seconds histogram',
      ...this.#durations(),
      ...single('process_resident_memory_bytes', 'gauge', 'Memory in use.', memory.rss),
      ...single('process_cpu_seconds_total', 'counter', 'Processor time used.', (cpu.user + cpu.system) / 1e6),
      ...single('process_uptime_seconds', 'gauge', 'Time since the start.', process.uptime()),
      ...single(
        'usher_event_loop_delay_p99_seconds',
        'gauge',
        'Delay of the event loop, 99th percentile.',
        this.#delay.percentile(99) / 1e9,
      ),
      '# HELP usher_webhook_attempts_total Requests to webhooks.',
      '# TYPE usher_webhook_attempts_total counter',
      ...Object.entries(attempts).map(
        ([outcome, count]) => `usher_webhook_attempts_total{outcome="${outcome}"} ${count}`,
      ),
      ...(outbox ? outboxLines(outbox) : []),
      '',
    ].join('\n');
  }

  *#requests(): Generator<string> {
    for (const { labels, statuses } of this.#series.values()) {
      for (const [status, count] of statuses) yield `usher_http_requests_total{${labels},status="${status}"} ${count}`;
    }
  }

  *#durations(): Generator<string> {
    for (const { labels, statuses, counts, sum } of this.#series.values()) {
      const total = [...statuses.values()].reduce((left, right) => left + right, 0);
      let below = 0;
      for (const [index, bound] of buckets.entries()) {
        below += counts[index] ?? 0;
        yield `usher_http_request_seconds_bucket{${labels},le="${bound}"} ${below}`;
      }
      yield `usher_http_request_seconds_bucket{${labels},le="+Inf"} ${total}`;
      yield `usher_http_request_seconds_sum{${labels}} ${sum}`;
      yield `usher_http_request_seconds_count{${labels}} ${total}`;
    }
  }
}

interface WebhookFigures {
  attempts: Record<string, number>;
  outbox: { due: number; waiting: number; oldestSeconds: number } | undefined;
}

function outboxLines({ due, waiting, oldestSeconds }: NonNullable<WebhookFigures['outbox']>): string[] {
  return [
    '# HELP usher_webhook_items Items to be sent to enabled webhooks.',
    '# TYPE usher_webhook_items gauge',
    `usher_webhook_items{state="due"} ${due}`,
    `usher_webhook_items{state="waiting"} ${waiting}`,
    ...single(
      'usher_webhook_oldest_due_seconds',
      'gauge',
      'Time since the oldest unsent item became due.',
      oldestSeconds,
    ),
  ];
}

function single(name: string, type: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
}
