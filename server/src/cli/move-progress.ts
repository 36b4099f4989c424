const SECOND_MS = 1000;
const UPDATE_MS = 200;

/** Returns what shows how far a move is: rows, percent, and the time that is left at the speed of this run. */
export function showMoveProgress(
  what: 'copying' | 'comparing',
  total: number,
  from: number,
  say: (text: string) => void,
): (table: string, rows: number) => void {
  const startedAt = performance.now();
  let shownAt = Number.NEGATIVE_INFINITY;
  return (table, rows) => {
    const now = performance.now();
    if (now - shownAt < UPDATE_MS && rows < total) return;
    shownAt = now;
    say(describeProgress({ what, table, rows, total, from, elapsedMs: now - startedAt }));
  };
}

interface Progress {
  what: string;
  table: string;
  rows: number;
  total: number;
  /** How many rows were there when this run began. */
  from: number;
  elapsedMs: number;
}

export function describeProgress({ what, table, rows, total, from, elapsedMs }: Progress): string {
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((rows / total) * 100));
  const done = rows - from;
  const left = done > 0 && elapsedMs >= SECOND_MS ? ((total - rows) * elapsedMs) / done : undefined;
  const format = (count: number) => count.toLocaleString('en-US');
  return `${what} ${table}: ${format(rows)} of ${format(total)} rows, ${percent} %${left === undefined ? '' : `, about ${describeTime(left)} left`}`;
}

function describeTime(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
