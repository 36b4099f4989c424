import * as text from '../messages/text.ts';

/** What a change was about: the name, or how many there were. */
export function nameExperiences(rows: readonly { name: string }[]): string {
  return rows.length === 1 ? `“${rows[0]?.name ?? ''}”` : text.experiences.several(rows.length);
}
