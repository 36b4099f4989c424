import { describe, expect, it } from 'vitest';
import { keepCounters, mergeMetrics } from './merge-metrics.ts';

const one = `# HELP usher_http_requests_total Requests that got a response.
# TYPE usher_http_requests_total counter
usher_http_requests_total{route="/",status="200"} 3
# HELP usher_http_request_seconds Time from a request to its response.
# TYPE usher_http_request_seconds histogram
usher_http_request_seconds_bucket{route="/",le="1"} 2
usher_http_request_seconds_bucket{route="/",le="+Inf"} 3
usher_http_request_seconds_sum{route="/"} 1.5
usher_http_request_seconds_count{route="/"} 3
# HELP usher_connections_open Open connections.
# TYPE usher_connections_open gauge
usher_connections_open 4
# HELP usher_event_loop_delay_p99_seconds Delay.
# TYPE usher_event_loop_delay_p99_seconds gauge
usher_event_loop_delay_p99_seconds 0.02
# HELP usher_database_up Whether the database responds.
# TYPE usher_database_up gauge
usher_database_up 1
`;
const other = one
  .replace('status="200"} 3', 'status="404"} 5')
  .replace('_open 4', '_open 6')
  .replace('0.02', '0.5')
  .replace('_up 1', '_up 0');

describe('mergeMetrics', () => {
  it('sums counters and histograms, and merges gauges by what they mean', () => {
    const samples = mergeMetrics([one, other])
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(samples).toEqual([
      'usher_http_requests_total{route="/",status="200"} 3',
      'usher_http_requests_total{route="/",status="404"} 5',
      'usher_http_request_seconds_bucket{route="/",le="1"} 4',
      'usher_http_request_seconds_bucket{route="/",le="+Inf"} 6',
      'usher_http_request_seconds_sum{route="/"} 3',
      'usher_http_request_seconds_count{route="/"} 6',
      'usher_connections_open 10',
      'usher_event_loop_delay_p99_seconds 0.5',
      'usher_database_up 0',
    ]);
  });

  it('returns the text of a single process unchanged', () => {
    expect(mergeMetrics([one])).toBe(one);
    expect(mergeMetrics(['', one, ''])).toBe(one);
  });
});

describe('keepCounters', () => {
  it('keeps what must not go down when a process has ended', () => {
    const merged = mergeMetrics([one, keepCounters(other)]);
    expect(merged).toContain('usher_http_requests_total{route="/",status="404"} 5\n');
    expect(merged).toContain('usher_http_request_seconds_count{route="/"} 6\n');
    expect(merged).toContain('usher_connections_open 4\n');
    expect(merged).toContain('usher_database_up 1\n');
  });
});
