import * as text from '../../../messages/text.ts';
import type { TimelineEntry } from './timeline-entry.ts';

const { entries, kindWords, deletedKind, unknown } = text.person.timeline;

/** The sentence of an entry, up to the name of the event or the Experience, which follows if it is known. */
export function entrySentence({
  kind,
  experience,
  item,
}: Pick<TimelineEntry, 'kind' | 'experience'> & Partial<Pick<TimelineEntry, 'item'>>): string {
  const sentence = entries[kind];
  if (typeof sentence === 'string') return sentence;
  if (!experience) return sentence(unknown, item?.title);
  return sentence(experience.name === null ? deletedKind(experience.kind) : kindWords[experience.kind], item?.title);
}
