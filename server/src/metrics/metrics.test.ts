import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseMetrics } from '../../test/parse-metrics.ts';
import { cachedReading } from './cached-reading.ts';
import { Counter } from './counter.ts';
import { gauge, info, renderMetrics } from './metric.ts';
import { Metrics } from './metrics.ts';
import { ProcessMetrics } from './process-metrics.ts';

const samplesOf = (text: string, name: string) => parseMetrics(text).get(name)?.samples;

describe('Metrics', () => {
  it('counts requests by route and status, and their times in a histogram', async () => {
    const metrics = new Metrics();
    for (const seconds of [0.0004, 0.003, 7]) metrics.observe('GET', '/v3/edit/urls', 200, seconds);
    metrics.observe('GET', '/v3/edit/urls', 404, 0.003);
    const text = await metrics.render();
    const labels = { method: 'GET', route: '/v3/edit/urls' };
    expect(samplesOf(text, 'usher_http_requests_total')).toEqual([
      { name: 'usher_http_requests_total', labels: { ...labels, status: '200' }, value: 3 },
      { name: 'usher_http_requests_total', labels: { ...labels, status: '404' }, value: 1 },
    ]);
    const buckets = samplesOf(text, 'usher_http_request_seconds') ?? [];
    const below = (le: string) => buckets.find((sample) => sample.labels.le === le)?.value;
    expect([below('0.001'), below('0.0025'), below('0.005'), below('5'), below('+Inf')]).toEqual([1, 1, 3, 3, 4]);
  });

  it('leaves out a source that fails, and keeps the others', async () => {
    const metrics = new Metrics();
    metrics.add(async () => Promise.reject(new Error('not now')));
    metrics.add(() => {
      throw new Error('not now either');
    });
    metrics.add(() => [gauge('usher_test', 'A figure.', 7)]);
    expect(samplesOf(await metrics.render(), 'usher_test')).toEqual([{ name: 'usher_test', labels: {}, value: 7 }]);
  });

  it('escapes labels and help texts', () => {
    const value = 'a "quoted" \\ backslash\nand a line';
    const text = renderMetrics([info('usher_test', 'One \\ two\nthree.', { value })]);
    expect(text.split('\n')).toHaveLength(4);
    expect(samplesOf(text, 'usher_test')).toEqual([{ name: 'usher_test', labels: { value }, value: 1 }]);
  });

  it('shows each value of a label from the start', () => {
    const counter = new Counter({ name: 'usher_test_total', help: 'A.', label: 'kind', values: ['one', 'two'] });
    counter.count('two');
    const samples = samplesOf(renderMetrics([counter.read()]), 'usher_test_total');
    expect(samples?.map(({ labels, value }) => [labels.kind, value])).toEqual([
      ['one', 0],
      ['two', 1],
    ]);
  });
});

describe('ProcessMetrics', () => {
  it('reads memory, open files and their limits', async () => {
    const processMetrics = new ProcessMetrics();
    const metrics = await processMetrics.read();
    processMetrics.stop();
    const values = new Map(metrics.map(({ name, samples }) => [name, samples[0]?.value ?? 0]));
    const figure = (name: string) => values.get(name) ?? Number.NaN;
    expect(figure('usher_heap_used_bytes')).toBeLessThan(figure('usher_heap_limit_bytes'));
    expect(figure('process_start_time_seconds')).toBeCloseTo(Date.now() / 1000 - process.uptime(), -1);
    expect(figure('usher_event_loop_delay_p99_seconds')).toBeGreaterThanOrEqual(0);
    if (process.platform === 'linux') expect(figure('process_open_fds')).toBeLessThanOrEqual(figure('process_max_fds'));
  });
});

it('shows the longest delay of the event loop since the last reading, which the percentile hides', async () => {
  const processMetrics = new ProcessMetrics();
  onTestFinished(() => processMetrics.stop());
  const figures = async () =>
    new Map((await processMetrics.read()).map(({ name, samples }) => [name, samples[0]?.value]));
  // The timer of the measurement runs a few times before and after.
  await pause(300);
  const blockedUntil = Date.now() + 400;
  while (Date.now() < blockedUntil);
  await pause(100);
  const figure = 'usher_event_loop_delay_max_seconds';
  expect((await figures()).get(figure)).toBeGreaterThan(0.3);
  await pause(100);
  expect((await figures()).get(figure)).toBeLessThan(0.3);
});

describe('cachedReading', () => {
  it('reads once at a time, and resolves to undefined while the reading does not end', async () => {
    let resolve: (value: number) => void = () => {};
    const promise = new Promise<number>((done) => {
      resolve = done;
    });
    let reads = 0;
    let now = 0;
    const start = () => {
      reads += 1;
      return promise;
    };
    const read = cachedReading(start, () => now, 5);
    expect(await Promise.all([read(), read()])).toEqual([undefined, undefined]);
    const third = read();
    now = 100;
    resolve(7);
    expect([await third, await read(), reads]).toEqual([7, 7, 1]);
    now = 100 + 50 * 100 - 1;
    expect([await read(), reads]).toEqual([7, 1]);
    now += 1;
    expect([await read(), reads]).toEqual([7, 2]);
  });

  it('reads again after a failure', async () => {
    let reads = 0;
    const read = cachedReading(async () => {
      reads += 1;
      if (reads === 1) throw new Error('not now');
      return reads;
    }, Date.now);
    expect([await read(), await read()]).toEqual([undefined, 2]);
  });
});

describe('parseMetrics', () => {
  it.each([
    ['without the end of the last line', '# HELP a A.\n# TYPE a gauge\na 1'],
    ['with an empty line', '# HELP a A.\n# TYPE a gauge\n\na 1\n'],
    ['without a type', 'a 1\n'],
    ['of a sample in another family', '# HELP a A.\n# TYPE a gauge\nb 1\n'],
    ['with a series twice', '# HELP a A.\n# TYPE a gauge\na 1\na 2\n'],
    ['with a family twice', '# HELP a A.\n# TYPE a gauge\na 1\n# HELP a A.\n# TYPE a gauge\n'],
    ['of a counter without _total', '# HELP a A.\n# TYPE a counter\na 1\n'],
    ['of a gauge with _total', '# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n'],
    ['in milliseconds', '# HELP a_ms A.\n# TYPE a_ms gauge\na_ms 1\n'],
    ['with an unescaped quote', '# HELP a A.\n# TYPE a gauge\na{b="c"d"} 1\n'],
    ['with a label twice', '# HELP a A.\n# TYPE a gauge\na{b="c",b="d"} 1\n'],
    ['without a number', '# HELP a A.\n# TYPE a gauge\na undefined\n'],
    ['of a histogram that shrinks', histogram(2, 1, 1)],
    ['of a histogram whose count differs', histogram(1, 2, 3)],
  ])('rejects a text %s', (_what, text) => {
    expect(() => parseMetrics(text)).toThrow();
  });

  it('accepts a histogram', () => {
    expect(parseMetrics(histogram(1, 2, 2)).get('a')?.samples).toHaveLength(4);
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  it.runIf(hasPromtool)('agrees with promtool', async () => {
    const metrics = new Metrics();
    metrics.observe('GET', '/v3/edit/urls', 200, 0.1);
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await metrics.render(),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

function histogram(first: number, second: number, count: number): string {
  return `# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} ${first}\na_bucket{le="+Inf"} ${second}\na_sum 1\na_count ${count}\n`;
}
