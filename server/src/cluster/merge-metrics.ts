/** Gauges that count something in each process, and are summed. Of all other gauges, the largest value counts. */
const summedGauges = new Set([
  'process_resident_memory_bytes',
  'usher_database_connections',
  'usher_connections_open',
  'usher_batches',
  'usher_heavy_reads',
  'usher_published_cache_bytes',
  'usher_published_cache_accounts',
]);
/** Gauges whose smallest value counts: 0 if one of the processes has a problem, or the start of the oldest process. */
const smallestGauges = new Set(['usher_database_up', 'usher_disk_free_bytes', 'process_start_time_seconds']);

interface Family {
  type: string;
  help: string | undefined;
  samples: Map<string, number>;
}

/**
 * Merges the metrics of several processes, in the text format of Prometheus: counters and histograms are summed, gauges as
 * listed above.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const merged = new Map<string, Family>();
  for (const text of texts)
    for (const [name, family] of parse(text)) {
      const known = merged.get(name);
      if (known) mergeFamily(name, known, family);
      else merged.set(name, family);
    }
  return render(merged);
}

/**
 * The counters and histograms alone. They are kept when a process has ended, because a counter that goes down looks like a
 * restart, and Prometheus would count everything before it twice.
 */
export function keepCounters(text: string): string {
  return render(new Map([...parse(text)].filter(([, { type }]) => type !== 'gauge')));
}

function mergeFamily(name: string, into: Family, { samples }: Family): void {
  const combine = combinerOf(name, into.type);
  for (const [series, value] of samples) {
    const known = into.samples.get(series);
    into.samples.set(series, known === undefined ? value : combine(known, value));
  }
}

function combinerOf(name: string, type: string): (one: number, other: number) => number {
  if (type !== 'gauge' || summedGauges.has(name)) return (one, other) => one + other;
  return smallestGauges.has(name) ? Math.min : Math.max;
}

/** A sample belongs to the family that was described last: `_bucket`, `_sum` and `_count` follow their histogram. */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let help: string | undefined;
  let current: Family | undefined;
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') help = line;
    else if (kind === 'TYPE') {
      current = { type: rest, help, samples: new Map() };
      families.set(name, current);
      help = undefined;
    } else if (line !== '') {
      const end = line.lastIndexOf(' ');
      current?.samples.set(line.slice(0, end), toNumber(line.slice(end + 1)));
    }
  }
  return families;
}

const toNumber = (text: string) => Number(text.replace('Inf', 'Infinity'));
const toText = (value: number) => String(value).replace(/^(-?)Infinity$/, (_, sign) => `${sign || '+'}Inf`);

function render(families: Map<string, Family>): string {
  const lines: string[] = [];
  for (const [name, { type, help, samples }] of families) {
    if (help !== undefined) lines.push(help);
    lines.push(`# TYPE ${name} ${type}`);
    for (const [series, value] of samples) lines.push(`${series} ${toText(value)}`);
  }
  return `${lines.join('\n')}\n`;
}
