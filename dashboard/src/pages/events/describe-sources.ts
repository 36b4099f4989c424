import { formatList } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';

const texts = text.events;

/** From where events of a name have come: `Page script and API`. */
export function describeSources({ sources, source }: { sources: readonly string[]; source: string | null }): string {
  // Of events before the sources were recorded, only the first is known.
  const known = sources.length > 0 ? sources : source === null ? [] : [source];
  return known.length === 0 ? texts.noSource : formatList(known.map((one) => texts.sources[one] ?? one));
}
