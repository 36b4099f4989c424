import type { ResponseOf } from '../../api/api.ts';
import * as text from '../../messages/text.ts';

type NewsEntry = ResponseOf<'GET /v3/analyze/news'>['news'][number];

const words = text.news;
const WEEK_MS = 6 * 24 * 60 * 60_000;

/** The name of a weekday while it says which day is meant, and a date before. A day without a time is that day everywhere. */
export function formatNewsDay(day: string, now = Date.now(), locale = globalThis.navigator?.language): string {
  const time = new Date(day);
  const isDay = !day.includes('T');
  const options: Intl.DateTimeFormatOptions =
    now - time.getTime() <= WEEK_MS ? { weekday: 'long' } : { month: 'short', day: 'numeric' };
  return new Intl.DateTimeFormat(locale, { ...options, ...(isDay && { timeZone: 'UTC' }) }).format(time);
}

/** One sentence. */
export function describeNews(entry: NewsEntry): string {
  const { type, target, from, measure, before, after, moment, since, count, comments_count, step } = entry;
  if (type === 'went_live')
    return words.factSentence(target.name, words.wentLive(formatNewsDay(moment?.at ?? from), count ?? 0));
  if (type === 'responses') return words.factSentence(target.name, words.responses(count ?? 0, comments_count ?? 0));
  if (type === 'step_failing') {
    const place = step === null || step.index === null ? null : step.index + 1;
    return words.sentence(target.name, words.failing(formatNewsDay(since ?? from), count ?? 0, place));
  }
  if (!measure || !before || !after) return words.sentence(target.name, words.sinceDay(formatNewsDay(from)));
  const what = words.changed[measure]({ before: before.value, after: after.value });
  const when = moment ? words.after[moment.what](formatNewsDay(moment.at)) : words.sinceDay(formatNewsDay(from));
  return words.sentence(target.name, `${what} ${when}`);
}

/** Leads to what an entry is about: results of its days, Responses, or the Experience with the step. */
export function hrefOfNews({ type, target, from, until }: NewsEntry): string {
  const path = `/app/experiences/${target.id}`;
  if (type === 'step_failing') return path;
  return `${path}/${type === 'responses' ? 'responses' : 'results'}?from=${from}&until=${until}`;
}

/** Leads to the Change before a number changed. */
export function hrefOfChange({ type, target, moment }: NewsEntry): string | undefined {
  if (type !== 'changed' || !moment?.change_id) return undefined;
  return `/app/experiences/${target.id}/history?change=${moment.change_id}`;
}
