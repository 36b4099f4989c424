import * as text from '../../../messages/text.ts';
import type { TimelineEntry } from './timeline-entry.ts';

const { entries, kindWords, deleted } = text.person.timeline;

/** What happened, up to the name of the event or the Experience, which follows. */
export function entrySentence({ kind, experience }: Pick<TimelineEntry, 'kind' | 'experience'>): string {
  const sentence = entries[kind];
  if (typeof sentence === 'string') return sentence;
  return sentence(experience ? kindWords[experience.kind] : deleted);
}
