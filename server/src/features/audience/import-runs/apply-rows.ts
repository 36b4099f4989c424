import { type CompanyItem, IMPORT_TAGS, isDeleteImport, type ProfileItem, withTag } from '@usher/domain';
import type { ItemOutcome } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { changeCompanies, findCompanyDraft, loadCompanies } from '../companies/save-companies.ts';
import { forgetProfiles } from '../deletions/forget-profiles.ts';
import type { ImportRow } from '../import-files/import-rows.ts';
import { findProfileDraft, loadProfiles } from '../profiles/profile-drafts.ts';
import { changeProfiles, differentProfiles } from '../profiles/save-profiles.ts';
import type { SeenValues } from '../properties/seen.ts';
import type { DryRunMemory } from './dry-run-memory.ts';

export type ImportItem = ProfileItem | CompanyItem;
export type RowOutcome = 'created' | 'updated' | 'deleted' | 'ignored' | ApiError;

/** Does with these records what the import is for, in the transaction of the caller. A dry run gives what it has done before. */
export async function applyRows(
  ctx: Context,
  row: ImportRow,
  items: readonly ImportItem[],
  values: SeenValues,
  memory?: DryRunMemory,
): Promise<RowOutcome[]> {
  if (items.length === 0) return [];
  const isOfProfiles = row.model_kind === 'profile';
  if (isDeleteImport(row.kind))
    return isOfProfiles ? deleteProfiles(ctx, row, items, memory) : findCompaniesToDelete(ctx, items, memory);
  const outcomes = await (isOfProfiles ? saveProfileRows : saveCompanyRows)(ctx, row, items, values);
  return memory?.correct(items, outcomes) ?? outcomes;
}

async function saveProfileRows(
  ctx: Context,
  { tag, on_model_missing }: ImportRow,
  items: readonly ProfileItem[],
  values: SeenValues,
): Promise<RowOutcome[]> {
  const known = await loadProfiles(ctx, items);
  const tagged = items.map((item) => withTagOf(item, tag, findProfileDraft(known, item)));
  return toOutcomes(known.byId, await changeProfiles(ctx, tagged, on_model_missing, values));
}

async function saveCompanyRows(
  ctx: Context,
  { tag, on_model_missing }: ImportRow,
  items: readonly CompanyItem[],
  values: SeenValues,
): Promise<RowOutcome[]> {
  const known = await loadCompanies(ctx, items);
  const tagged = items.map((item) => withTagOf(item, tag, findCompanyDraft(known, item)));
  return toOutcomes(known.byId, await changeCompanies(ctx, tagged, on_model_missing, values));
}

function withTagOf<Item extends ImportItem>(
  item: Item,
  tag: string | null,
  found: { custom: object } | undefined,
): Item {
  if (tag === null) return item;
  const { [IMPORT_TAGS]: tags } = (found?.custom ?? {}) as Item['custom'];
  return { ...item, custom: { ...item.custom, [IMPORT_TAGS]: withTag(tags ?? undefined, tag) } };
}

function toOutcomes(known: ReadonlyMap<string, unknown>, outcomes: readonly ItemOutcome[]): RowOutcome[] {
  const seen = new Set(known.keys());
  return outcomes.map((outcome) => {
    if (outcome === undefined) return 'ignored';
    if (outcome instanceof ApiError) return outcome;
    if (seen.has(outcome.id)) return 'updated';
    seen.add(outcome.id);
    return 'created';
  });
}

/** Forgets the users for good, as the endpoint for one user does. */
async function deleteProfiles(
  ctx: Context,
  { id, is_dry_run }: ImportRow,
  items: readonly ProfileItem[],
  memory?: DryRunMemory,
): Promise<RowOutcome[]> {
  const drafts = await loadProfiles(ctx, items);
  const found = new Map<string, { id: string; uid: string; email: string | null }>();
  const outcomes = items.map((item): RowOutcome => {
    const draft = findProfileDraft(drafts, item);
    if (!draft || found.has(draft.id)) return 'ignored';
    if (item.uid !== undefined && item.uid !== draft.uid) return differentProfiles();
    found.set(draft.id, { id: draft.id, uid: draft.uid, email: draft.email });
    return memory?.deletes(draft.id) === false ? 'ignored' : 'deleted';
  });
  if (is_dry_run || found.size === 0) return outcomes;
  const [first = ''] = await forgetProfiles(ctx, [...found.values()], [], id);
  await recordAudit(ctx, 'profile.forget', { type: 'deletion', id: first }, { count: found.size });
  return outcomes;
}

/** A Company is deleted in transactions of its own, because it can have any number of members. */
async function findCompaniesToDelete(
  ctx: Context,
  items: readonly CompanyItem[],
  memory?: DryRunMemory,
): Promise<RowOutcome[]> {
  const drafts = await loadCompanies(ctx, items);
  return items.map((item) => {
    const draft = findCompanyDraft(drafts, item);
    return draft && memory?.deletes(draft.id) !== false ? 'deleted' : 'ignored';
  });
}
