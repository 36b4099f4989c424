type MetricType = 'counter' | 'gauge' | 'histogram';
type Labels = Readonly<Record<string, string>>;

interface Sample {
  /** The name of the metric, with `_bucket`, `_sum` or `_count` for a histogram. */
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Figures with one name, as Prometheus reads them. Labels have few values: never an account, an address or a URL. */
export interface Metric {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The values by one label, or the only value of a metric without labels. */
type Values = number | { readonly label: string; readonly values: Readonly<Record<string, number>> };

/** A figure that only grows while the process runs. Its name ends with `_total`. */
export function counter(name: string, help: string, values: Values): Metric {
  return { name, type: 'counter', help, samples: samplesOf(name, values) };
}

/** A figure that can grow and shrink. */
export function gauge(name: string, help: string, values: Values): Metric {
  return { name, type: 'gauge', help, samples: samplesOf(name, values) };
}

/** A figure that is always 1. What it says is in its labels. */
export function info(name: string, help: string, labels: Labels): Metric {
  return { name, type: 'gauge', help, samples: [{ name, labels, value: 1 }] };
}

function samplesOf(name: string, values: Values): Sample[] {
  if (typeof values === 'number') return [{ name, labels: {}, value: values }];
  return Object.entries(values.values).map(([key, value]) => ({ name, labels: { [values.label]: key }, value }));
}

/** Renders the text format of Prometheus, version 0.0.4. */
export function renderMetrics(metrics: readonly Metric[]): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of metrics) {
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`);
    for (const sample of samples)
      lines.push(`${sample.name}${renderLabels(sample.labels)} ${renderValue(sample.value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function renderLabels(labels: Labels): string {
  const entries = Object.entries(labels);
  return entries.length === 0 ? '' : `{${entries.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function renderValue(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
