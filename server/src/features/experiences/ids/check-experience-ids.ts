import { type ExperienceKind, joinNames } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';

interface Options {
  kinds: readonly ExperienceKind[];
  /** IDs that were accepted before. Their Experiences may have been deleted since. */
  known?: readonly string[];
  /** Locks the Experiences until the transaction ends, so that nobody deletes them. */
  lock?: boolean;
}

/** Rejects IDs in `experience_ids` that belong to no Experience of these kinds. */
export async function checkExperienceIds(
  ctx: Context,
  ids: readonly string[],
  { kinds, known = [], lock = false }: Options,
): Promise<void> {
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  const query = ctx.db
    .selectFrom('experiences')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', unknown)
    .where('kind', 'in', kinds)
    .orderBy('id');
  const rows = await (lock ? ctx.dialect.lockRows(query) : query).execute();
  const found = new Set([...known, ...rows.map(({ id }) => id)]);
  const problems = ids.flatMap((id, at) =>
    found.has(id) ? [] : [`\`experience_ids[${at}]\` is the ID of no ${joinNames(kinds, 'or')} in this account`],
  );
  if (problems.length > 0) throw new ApiError(404, problems);
}
