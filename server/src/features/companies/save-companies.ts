import { type CompanyItem, type Custom, type Integration, isTooLarge, mergeCustom, tooLargeText } from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { attempt, type OnMissing, type Outcome } from '../../http/batch.ts';
import { discovering, type SeenValues } from '../properties/seen.ts';

/** Stores companies that were sent, each for itself: one that is refused leaves the others alone. */
export function saveCompanies(
  ctx: Context,
  items: readonly CompanyItem[],
  onMissing: OnMissing,
  integration: Integration,
): Promise<Outcome[]> {
  return discovering(ctx, integration, async (ctx, values) => {
    const drafts = await loadCompanies(ctx, items);
    const outcomes = items.map((item) => attempt(() => changeCompany(ctx, drafts, item, onMissing, values)));
    await writeCompanies(ctx, drafts);
    return outcomes;
  });
}

/** A Company while it is being changed. */
interface CompanyDraft {
  id: string;
  uid: string;
  custom: Custom;
  updated_at: number;
  /** The custom properties as they are to be stored; undefined when nothing has changed. */
  text: string | undefined;
}

export interface CompanyDrafts {
  byId: Map<string, CompanyDraft>;
  byUid: Map<string, CompanyDraft>;
}

/** All that these items name, held for the rest of the transaction. */
export async function loadCompanies(ctx: Context, items: readonly CompanyItem[]): Promise<CompanyDrafts> {
  const ids = [...new Set(items.flatMap(({ id }) => id ?? []))];
  const uids = [...new Set(items.flatMap(({ id, uid }) => (id === undefined && uid !== undefined ? uid : [])))];
  const drafts: CompanyDrafts = { byId: new Map(), byUid: new Map() };
  if (ids.length + uids.length === 0) return drafts;
  const query = ctx.db
    .selectFrom('companies')
    .select(['id', 'uid', 'custom', 'updated_at'])
    .where('account_id', '=', ctx.account.id)
    .where((eb) =>
      eb.or([...(ids.length > 0 ? [eb('id', 'in', ids)] : []), ...(uids.length > 0 ? [eb('uid', 'in', uids)] : [])]),
    )
    .orderBy('id');
  for (const row of await ctx.lockRows(query).execute()) addDraft(drafts, { ...row, text: undefined });
  return drafts;
}

function addDraft({ byId, byUid }: CompanyDrafts, draft: CompanyDraft): CompanyDraft {
  byId.set(draft.id, draft);
  byUid.set(draft.uid, draft);
  return draft;
}

/** Changes one, or refuses and changes nothing. Undefined: it is not there, and is not to be made. */
export function changeCompany(
  ctx: Context,
  drafts: CompanyDrafts,
  { id, uid, custom }: CompanyItem,
  onMissing: OnMissing,
  values: SeenValues,
): { id: string } | undefined {
  const found = id === undefined ? drafts.byUid.get(uid ?? '') : drafts.byId.get(id);
  if (!found && onMissing === 'ignore') return undefined;
  if (!found && id !== undefined) throw notFound('Company');
  if (found && uid !== undefined && found.uid !== uid)
    throw invalid('`id` and `uid` are of different Companies: give one of them');
  const merged = mergeCustom(found?.custom ?? {}, custom);
  if (merged && isTooLarge(merged)) throw invalid(tooLargeText);
  const draft = found ?? addDraft(drafts, { ...ctx.newRow(), uid: uid ?? '', custom: {}, text: '{}' });
  values.add('company', draft.id, custom, draft.custom);
  if (merged) Object.assign(draft, merged, found && { updated_at: ctx.now() });
  return { id: draft.id };
}

export async function writeCompanies(ctx: Context, { byId }: CompanyDrafts): Promise<void> {
  const rows = [...byId.values()].flatMap(({ id, uid, updated_at, text }) =>
    text === undefined ? [] : { account_id: ctx.account.id, id, uid, updated_at, custom: text },
  );
  if (rows.length === 0) return;
  await ctx.db
    .insertInto('companies')
    .values(rows)
    .onConflict((known) =>
      known.columns(['account_id', 'id']).doUpdateSet((eb) => ({
        updated_at: eb.ref('excluded.updated_at'),
        custom: eb.ref('excluded.custom'),
      })),
    )
    .execute();
}
