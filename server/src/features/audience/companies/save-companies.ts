import {
  type CompanyItem,
  CUSTOM_TOO_LARGE_MESSAGE,
  type Custom,
  type Integration,
  isCustomTooLarge,
  mergeCustom,
} from '@usher/domain';
import { attempt, type ItemOutcome, type OnMissing, uidsOf } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import type { AccountClock } from '../../../db/account-clock.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';
import { invalid, notFound } from '../../../errors.ts';
import { type SeenValues, withPropertyRegistry } from '../properties/seen.ts';
import type { CompanyRow } from './queries.ts';

/** Stores Companies. An invalid one is rejected without the others. */
export function saveCompanies(
  ctx: Context,
  items: readonly CompanyItem[],
  onMissing: OnMissing,
  integration: Integration,
): Promise<ItemOutcome[]> {
  return withPropertyRegistry(ctx, { integration }, (ctx, values) => changeCompanies(ctx, items, onMissing, values));
}

/** Stores Companies in the transaction of the caller. */
export async function changeCompanies(
  ctx: Context,
  items: readonly CompanyItem[],
  onMissing: OnMissing,
  values: SeenValues,
): Promise<ItemOutcome[]> {
  const drafts = await loadCompanies(ctx, items);
  const isMissing = onMissing === 'create' && items.some((item) => !findCompanyDraft(drafts, item));
  const clock = isMissing ? await ctx.clock() : undefined;
  if (clock) await checkMissingCompanies(ctx, drafts, items);
  const outcomes = items.map((item) => attempt(() => changeCompany(ctx, drafts, item, onMissing, values, clock)));
  await writeCompanies(ctx, drafts);
  return outcomes;
}

/** A Company while it is being changed. */
interface CompanyDraft {
  id: string;
  uid: string;
  custom: Custom;
  updated_at: number;
  /** The custom properties as JSON, or undefined if nothing has changed. */
  text: string | undefined;
}

export interface CompanyDrafts {
  byId: Map<string, CompanyDraft>;
  byUid: Map<string, CompanyDraft>;
}

/** Loads and locks all Companies that the items name. */
export async function loadCompanies(ctx: Context, items: readonly CompanyItem[]): Promise<CompanyDrafts> {
  const drafts: CompanyDrafts = { byId: new Map(), byUid: new Map() };
  const named: ['id' | 'uid', string[]][] = [
    ['id', items.flatMap(({ id }) => id ?? [])],
    ['uid', uidsOf(items)],
  ];
  for (const [key, names] of named) {
    if (names.length === 0) continue;
    const wanted = { table: 'companies' as const, key, names, columns: ['id', 'uid', 'custom', 'updated_at'] as const };
    for (const row of await ctx.dialect.lookUp<Omit<CompanyRow, 'account_id'>>(ctx.db, ctx.account.id, wanted))
      if (!drafts.byId.has(row.id)) addDraft(drafts, { ...row, text: undefined });
  }
  return drafts;
}

/** Call it after the clock was taken, before a Company is created. */
export async function checkMissingCompanies(
  ctx: Context,
  { byUid }: CompanyDrafts,
  items: readonly CompanyItem[],
): Promise<void> {
  const names = uidsOf(items).filter((uid) => !byUid.has(uid));
  await ctx.dialect.checkMissing(ctx.db, ctx.account.id, { table: 'companies', key: 'uid', names });
}

function addDraft({ byId, byUid }: CompanyDrafts, draft: CompanyDraft): CompanyDraft {
  byId.set(draft.id, draft);
  byUid.set(draft.uid, draft);
  return draft;
}

export function findCompanyDraft(
  { byId, byUid }: CompanyDrafts,
  { id, uid }: Pick<CompanyItem, 'id' | 'uid'>,
): CompanyDraft | undefined {
  return id === undefined ? byUid.get(uid ?? '') : byId.get(id);
}

/**
 * Changes or creates one Company, or throws and changes nothing. Returns undefined if it does not exist and must not be
 * created. The clock is there if any of the Companies is missing.
 */
export function changeCompany(
  ctx: Context,
  drafts: CompanyDrafts,
  { id, uid, custom }: CompanyItem,
  onMissing: OnMissing,
  values: SeenValues,
  clock: AccountClock | undefined,
): { id: string } | undefined {
  const found = findCompanyDraft(drafts, { id, uid });
  if (!found && onMissing === 'ignore') return undefined;
  if (!found && id !== undefined) throw notFound('Company');
  if (found && uid !== undefined && found.uid !== uid)
    throw invalid('`id` and `uid` are of different Companies: give one of them');
  const merged = mergeCustom(found?.custom ?? {}, custom);
  if (merged && isCustomTooLarge(merged)) throw invalid(CUSTOM_TOO_LARGE_MESSAGE);
  const draft =
    found ?? addDraft(drafts, { ...(clock as AccountClock).newRow(), uid: uid ?? '', custom: {}, text: '{}' });
  values.add('company', draft.id, custom, draft.custom);
  if (merged) Object.assign(draft, merged, found && { updated_at: ctx.now() });
  return { id: draft.id };
}

export async function writeCompanies(ctx: Context, { byId }: CompanyDrafts): Promise<void> {
  const rows = [...byId.values()].flatMap(({ id, uid, updated_at, text }) =>
    text === undefined ? [] : { id, uid, updated_at, custom: text },
  );
  if (rows.length > 0) await ctx.dialect.upsert(ctx.db, ctx.account.id, companyUpsert, rows);
}

const companyUpsert: Upsert = {
  table: 'companies',
  columns: { id: 'text', uid: 'text', updated_at: 'bigint', custom: 'jsonb' },
  changes: ['updated_at', 'custom'],
};
