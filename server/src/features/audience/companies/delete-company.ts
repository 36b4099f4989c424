import type { FindCompany } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { MAX_TRACES } from '../../../db/storage.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { findTraces } from '../deletions/find-traces.ts';
import { forgetProfiles } from '../deletions/forget-profiles.ts';
import { recordDeletions } from '../deletions/record-deletions.ts';
import { lockImports } from '../import-files/import-rows.ts';
import { removeSamples } from '../properties/remove-samples.ts';
import { getCompany } from './queries.ts';

interface Deleted {
  deletion: { id: string };
  deletions?: { id: string }[];
}

/**
 * Deletes a Company. Its profiles leave it, or with `cascade` are forgotten. There can be very many, so each transaction
 * handles some of them, and the last one deletes the Company. If this is interrupted, the Company can be deleted again.
 */
export async function deleteCompany(ctx: Context, find: FindCompany, cascade: boolean): Promise<Deleted> {
  const { id } = await getCompany(ctx, find);
  const deletionIds: string[] = [];
  const allTraces = new Set<string>();
  for (;;) {
    const { deletion, deletions, traces } = await ctx.transaction((ctx) => deleteCompanyPart(ctx, id, cascade), {
      isLong: true,
    });
    if (cascade) await ctx.app.deletionLog.addOf(ctx.account.id);
    deletionIds.push(...deletions);
    for (const trace of allTraces.size > MAX_TRACES ? [] : traces) allTraces.add(trace);
    if (deletion === undefined) continue;
    await ctx.app.storage.shred([...allTraces]);
    return { deletion: { id: deletion }, ...(cascade && { deletions: deletionIds.map((id) => ({ id })) }) };
  }
}

/**
 * Removes some of the profiles, and with the last ones the Company itself. Profiles are locked before the Company, as
 * ingestion does, so there is no deadlock. Nobody can join a locked Company.
 */
export async function deleteCompanyPart(ctx: Context, id: string, cascade: boolean) {
  if (cascade) await lockImports(ctx);
  const members = await lockMembers(ctx, id);
  const company = await getCompany(ctx, { id }, true);
  const deletions = cascade ? await forgetProfiles(ctx, members) : await removeFromCompany(ctx, members);
  const [first] = deletions;
  if (cascade && first !== undefined)
    await recordAudit(ctx, 'profile.forget', { type: 'deletion', id: first }, { count: deletions.length });
  const traces = [company, ...(cascade ? members : [])].flatMap(findTraces);
  if (await hasMembers(ctx, id)) return { deletions, traces };
  await removeSamples(ctx, ['company'], [id]);
  await ctx.db.deleteFrom('companies').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
  const [deletion] = await recordDeletions(ctx, [{ name: `company ${company.uid}` }]);
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

async function removeFromCompany(ctx: Context, members: readonly Member[]): Promise<never[]> {
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
