import { formatDate } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';

export interface Day<Entry> {
  /** Names the day in this time zone, such as `2026-11-17`. */
  key: string;
  title: string;
  entries: Entry[];
}

/** Groups entries by day in the reader's time zone, in their order. */
export function groupDays<Entry extends { at: string }>(entries: readonly Entry[], now: number): Day<Entry>[] {
  const days: Day<Entry>[] = [];
  for (const entry of entries) {
    const time = new Date(entry.at);
    const key = dayKey(time);
    const last = days.at(-1);
    if (last?.key === key) last.entries.push(entry);
    else days.push({ key, title: titleOf(time, key, now), entries: [entry] });
  }
  return days;
}

function titleOf(time: Date, key: string, now: number): string {
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (key === dayKey(today)) return text.person.timeline.today;
  if (key === dayKey(yesterday)) return text.person.timeline.yesterday;
  return `${formatWeekday(time)}, ${formatDate(time)}`;
}

function formatWeekday(time: Date): string {
  return new Intl.DateTimeFormat(globalThis.navigator?.language, { weekday: 'long' }).format(time);
}

function dayKey(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}
