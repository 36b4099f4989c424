import type { Context } from '../../context.ts';
import type { ExperienceRow } from './queries.ts';

/** The address of the public page of a survey. */
export function publicPageUrl({ app }: Context, { public_key, draft }: ExperienceRow): string | null {
  return public_key !== null && draft.public_page ? `${app.pageUrl}/s/${public_key}` : null;
}
