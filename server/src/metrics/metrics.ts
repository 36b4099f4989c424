import { type ApiError, limitKinds } from '../errors.ts';
import { Counter } from './counter.ts';
import { counter, type Metric, renderMetrics } from './metric.ts';
import { RequestMetrics } from './request-metrics.ts';

/** Returns the current figures of one part of the server. */
export type MetricSource = () => readonly Metric[] | Promise<readonly Metric[]>;

/** Collects the figures of all parts of the server, for Prometheus. A part that has figures is added as a source. */
export class Metrics {
  readonly #requests = new RequestMetrics();
  readonly #rejected = new Counter({
    name: 'usher_requests_rejected_total',
    help: 'Requests that got 429, by what the limit is about.',
    label: 'limit',
    values: limitKinds,
  });
  #unavailable = 0;
  readonly #sources: MetricSource[] = [() => this.#requests.read(), () => this.#readErrors()];

  add(source: MetricSource): void {
    this.#sources.push(source);
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe(method, route, status, seconds);
  }

  countError({ code, limitKind }: ApiError): void {
    if (limitKind) this.#rejected.count(limitKind);
    if (code === 503) this.#unavailable += 1;
  }

  /** Renders the text format of Prometheus. The figures of a source that fails are left out. */
  async render(): Promise<string> {
    const read = await Promise.all(this.#sources.map(async (source) => source()).map((one) => one.catch(() => [])));
    return renderMetrics(read.flat());
  }

  #readErrors(): Metric[] {
    const help = 'Requests that got 503 because the storage could not be reached.';
    return [this.#rejected.read(), counter('usher_storage_unavailable_total', help, this.#unavailable)];
  }
}
