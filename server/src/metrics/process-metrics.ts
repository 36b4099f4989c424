import { readdir, readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { counter, gauge, type Metric } from './metric.ts';

/** The timer that measures delays runs this often, and its histogram contains the interval. */
const RESOLUTION_MS = 20;

/** Memory, processor, open files and the event loop of this process. */
export class ProcessMetrics {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#delay.enable();
  }

  stop(): void {
    this.#delay.disable();
  }

  readonly read = async (): Promise<Metric[]> => {
    const { user, system } = process.cpuUsage();
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    return [
      gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
      counter('process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6),
      gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', startTime()),
      gauge('process_uptime_seconds', 'Time since the start.', process.uptime()),
      gauge('usher_heap_used_bytes', 'Memory that JavaScript objects use.', used_heap_size),
      gauge('usher_heap_limit_bytes', 'Memory that they may use. Above it the process ends.', heap_size_limit),
      ...this.#readDelays(),
      ...(await readOpenFiles()),
    ];
  };

  /**
   * Reads the delays since the last reading, because a delay of yesterday must not hide today's. A long delay is measured once, so
   * the percentile does not show it: one of 34 s in a minute was 0.09.
   */
  #readDelays(): Metric[] {
    const [p99, max] = [this.#delay.percentile(99), this.#delay.max].map((nanoseconds) =>
      Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS),
    ) as [number, number];
    this.#delay.reset();
    return [
      gauge('usher_event_loop_delay_p99_seconds', 'Delay of the event loop, 99th percentile.', p99 / 1000),
      gauge(
        'usher_event_loop_delay_max_seconds',
        'The longest delay of the event loop since the last scrape.',
        max / 1000,
      ),
    ];
  }
}

function startTime(): number {
  return Math.round(Date.now() / 1000 - process.uptime());
}

/** Only Linux lists the open files of a process. */
async function readOpenFiles(): Promise<Metric[]> {
  try {
    const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')]);
    const limit = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return [
      gauge('process_open_fds', 'Open files and connections.', open.length),
      ...(limit === undefined ? [] : [gauge('process_max_fds', 'How many may be open.', Number(limit))]),
    ];
  } catch {
    return [];
  }
}
