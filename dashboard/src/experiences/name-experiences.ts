import * as text from '../messages/text.ts';

/** Names the changed Experiences: the name of a single one, or their number. */
export function nameExperiences(rows: readonly { name: string }[]): string {
  return rows.length === 1 ? `“${rows[0]?.name ?? ''}”` : text.experiences.several(rows.length);
}
