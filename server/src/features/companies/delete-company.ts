import type { FindCompany } from '@usher/domain';
import type { Context } from '../../context.ts';
import { MAX_TRACES } from '../../db/storage.ts';
import { recordDeletions } from '../deletions/record-deletions.ts';
import { forgetRows, tracesOf } from '../profiles/forget-profile.ts';
import { removeSamples } from '../properties/remove-samples.ts';
import { getCompany } from './queries.ts';

interface Deleted {
  deletion: { id: string };
  deletions?: { id: string }[];
}

/**
 * Its profiles leave it, or with `cascade` are forgotten. They can be very many: they go some at a time, so that nobody
 * waits for all of them, and the Company goes with the last ones. Cut short, it is there to be deleted again.
 */
export async function deleteCompany(ctx: Context, find: FindCompany, cascade: boolean): Promise<Deleted> {
  const { id } = await getCompany(ctx, find);
  const forgotten: string[] = [];
  const gone = new Set<string>();
  for (;;) {
    const { deletion, deletions, traces } = await ctx.transaction((ctx) => deletePart(ctx, id, cascade));
    forgotten.push(...deletions);
    for (const trace of gone.size > MAX_TRACES ? [] : traces) gone.add(trace);
    if (deletion === undefined) continue;
    await ctx.app.storage.shred([...gone]);
    return { deletion: { id: deletion }, ...(cascade && { deletions: forgotten.map((id) => ({ id })) }) };
  }
}

/**
 * Some of its profiles; when these were the last, the Company itself. Profiles are held before the Company, as by all who
 * save them, so that no two wait for each other. Once the Company is held, nobody joins it.
 */
async function deletePart(ctx: Context, id: string, cascade: boolean) {
  const members = await lockMembers(ctx, id);
  const company = await getCompany(ctx, { id }, true);
  const deletions = cascade ? await forgetRows(ctx, members) : await release(ctx, members);
  const traces = [company, ...(cascade ? members : [])].flatMap(tracesOf);
  if (await hasMembers(ctx, id)) return { deletions, traces };
  await removeSamples(ctx, ['company'], [id]);
  await ctx.db.deleteFrom('companies').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
  const [deletion] = await recordDeletions(ctx, [`company ${company.uid}`]);
  return { deletion, deletions, traces };
}

type Member = Awaited<ReturnType<typeof lockMembers>>[number];

function membersOf(ctx: Context, companyId: string) {
  return ctx.db.selectFrom('profiles').where('account_id', '=', ctx.account.id).where('company_id', '=', companyId);
}

function lockMembers(ctx: Context, companyId: string) {
  const query = membersOf(ctx, companyId)
    .select(['account_id', 'id', 'uid', 'email', 'custom'])
    .orderBy('id')
    .limit(ctx.dialect.rowsPerWrite);
  return ctx.dialect.lockRows(query).execute();
}

async function hasMembers(ctx: Context, companyId: string): Promise<boolean> {
  return (await membersOf(ctx, companyId).select('id').limit(1).execute()).length > 0;
}

async function release(ctx: Context, members: readonly Member[]): Promise<never[]> {
  if (members.length === 0) return [];
  await ctx.db
    .updateTable('profiles')
    .set({ company_id: null, updated_at: ctx.now() })
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      members.map(({ id }) => id),
    )
    .execute();
  return [];
}
