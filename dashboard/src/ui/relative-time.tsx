import { useSyncExternalStore } from 'react';
import { formatExactTime, formatRelativeTime } from '../messages/format.ts';

const TICK_MS = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** All relative times of a page share one timer, which runs only while there are some. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the time of the last tick. Without a running timer there is no recent tick, so it reads the clock. */
const readNow = () => {
  if (!timer) now = Date.now();
  return now;
};

/** A relative time, with the exact one on hover and for screen readers. */
export function RelativeTime({ time }: { time: string | number | Date }) {
  const current = useSyncExternalStore(subscribe, readNow);
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return null;
  const exact = formatExactTime(date);
  return (
    <time dateTime={date.toISOString()} title={exact} className="whitespace-nowrap">
      {formatRelativeTime(date, Math.max(current, Math.min(Date.now(), date.getTime())))}
      <span className="sr-only">, {exact}</span>
    </time>
  );
}
