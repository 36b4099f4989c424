import { type OpenPickOutput, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { forbidden } from '../../../errors.ts';
import type { PickRow } from '../../../pages/pick-token.ts';
import { loadUsers } from '../../team/persons/load-users.ts';
import { type ExperienceRow, experiencesOf } from '../queries.ts';

/** Presents an open pick to its page: who made it, where, and for what. */
export async function presentOpenPick(ctx: Context, pick: PickRow): Promise<OpenPickOutput> {
  const { id, kind, draft } = await findExperienceOf(ctx, pick);
  const users = await loadUsers(ctx, [pick.admin_id]);
  const account = await ctx.db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  const at = draft.steps.findIndex((step) => step.id === pick.step_id);
  const step = draft.steps[at];
  return {
    purpose: pick.purpose,
    administrator: { name: users.get(pick.admin_id)?.name ?? '' },
    account: { name: account.name },
    server: ctx.app.publicUrl,
    experience: { id, kind, name: draft.name },
    step: step ? { id: step.id, number: at + 1, title: step.title, elements: step.elements } : null,
    expires_at: toTimestamp(pick.expires_at),
  };
}

export async function findExperienceOf(ctx: Context, { experience_id }: PickRow): Promise<ExperienceRow> {
  const row = await experiencesOf(ctx).where('id', '=', experience_id).executeTakeFirst();
  if (!row) throw forbidden('The Experience of this pick was deleted: go back to Usher and choose another one');
  return row;
}
