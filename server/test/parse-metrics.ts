export interface Family {
  type: string;
  help: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const metricName = /^[a-z][a-z0-9_]*$/;
const sampleLine = /^([a-z][a-z0-9_]*)(?:\{(.+)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]\d+)?)|[+-]Inf|NaN)$/;
const labelPattern = /([a-z][a-z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
/** Prometheus counts in seconds, bytes and ratios. */
const otherUnits = /_(ms|millis|milliseconds|minutes|hours|days|kb|mb|kilobytes|megabytes|percent)(_|$)/;

/**
 * Parses the text format of Prometheus as strictly as the format is described. It throws at the first line that a parser, or
 * a linter of names and units, would complain about.
 */
export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end');
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let [name, help, type]: (string | undefined)[] = [];
  for (const line of text.slice(0, -1).split('\n')) {
    const fail = (why: string) => new Error(`${why}: ${line}`);
    const [, keyword, of = '', rest = ''] = /^# (HELP|TYPE) (\S+) (\S.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (!metricName.test(of) || families.has(of) || !/\.$/.test(rest)) throw fail('A name twice, or no sentence');
      [name, help, type] = [of, rest, undefined];
    } else if (keyword === 'TYPE') {
      if (of !== name || type !== undefined || help === undefined) throw fail('HELP and TYPE do not belong together');
      if (!['counter', 'gauge', 'histogram'].includes(rest)) throw fail('No such type');
      if ((rest === 'counter') !== of.endsWith('_total')) throw fail('Counters, and only they, end with _total');
      if (otherUnits.test(of)) throw fail('Not a base unit');
      type = rest;
      families.set(of, { type, help, samples: [] });
    } else {
      const family = families.get(name ?? '');
      const [, sampleName = '', labelText, value] = sampleLine.exec(line) ?? [];
      if (!family || value === undefined) throw fail('Not a line of the format');
      const isOwn = family.type === 'histogram' ? isPartOf(sampleName, name ?? '') : sampleName === name;
      if (!isOwn) throw fail('A sample outside of its family');
      const key = `${sampleName}{${labelText ?? ''}}`;
      if (series.has(key)) throw fail('A series twice');
      series.add(key);
      const labels = labelText === undefined ? {} : parseLabels(labelText);
      if (!labels) throw fail('Wrong labels');
      family.samples.push({ name: sampleName, labels, value: toNumber(value) });
    }
  }
  for (const [of, { type, samples }] of families) if (type === 'histogram') checkHistogram(of, samples);
  return families;
}

function isPartOf(sample: string, histogram: string): boolean {
  return ['_bucket', '_sum', '_count'].some((suffix) => sample === histogram + suffix);
}

function parseLabels(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = {};
  labelPattern.lastIndex = 0;
  while (labelPattern.lastIndex < text.length) {
    const [, name = '', value = ''] = labelPattern.exec(text) ?? [];
    if (name === '' || Object.hasOwn(labels, name)) return undefined;
    labels[name] = value.replaceAll(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
  }
  return text.endsWith(',') ? undefined : labels;
}

function toNumber(text: string): number {
  return text.endsWith('Inf') ? (text.startsWith('-') ? -1 : 1) * Number.POSITIVE_INFINITY : Number(text);
}

function checkHistogram(name: string, samples: Family['samples']): void {
  const groups = new Map<string, Family['samples']>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => toNumber(labels.le ?? ''));
    const counts = buckets.map(({ value }) => value);
    const total = group.find((sample) => sample.name === `${name}_count`)?.value;
    const isAscending = (list: number[]) =>
      list.every((value, index) => index === 0 || value >= (list[index - 1] ?? 0));
    const isWhole = bounds.at(-1) === Number.POSITIVE_INFINITY && counts.at(-1) === total && total !== undefined;
    const hasSum = group.some((sample) => sample.name === `${name}_sum`);
    if (!isWhole || !hasSum || !isAscending(bounds) || !isAscending(counts) || new Set(bounds).size < bounds.length)
      throw new Error(`Not a histogram: ${name} ${key}`);
  }
}
