import type { Context } from '../../../context.ts';

/** What answers on a public page: a signed link, or a browser. It answers once. */
export interface AnswerLink {
  id: string;
  experienceId: string;
}

/** The Response of a link. */
export function findLinkResponse(ctx: Context, profileId: string, { id, experienceId }: AnswerLink) {
  return ctx.db
    .selectFrom('responses')
    .select(['id', 'finished_at'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .where('experience_id', '=', experienceId)
    .where('link_id', '=', id)
    .executeTakeFirst();
}
