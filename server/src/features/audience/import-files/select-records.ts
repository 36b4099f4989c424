import { type Condition, type Filter, readFilters, toCondition } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import type { Db } from '../../../db/storage.ts';
import { buildCondition } from '../filters/build-condition.ts';
import { conditionSql } from '../filters/condition-sql.ts';
import { selectProfiles } from '../filters/select-profiles.ts';
import type { ImportRow } from './import-rows.ts';

type Selection = Pick<
  ImportRow,
  'model_kind' | 'filters' | 'filters_op' | 'segment_ids' | 'segments_op' | 'excluded_segment_ids'
>;

interface ImportCondition {
  condition: Condition;
  segment?(id: string): Condition;
}

/** The condition of the profiles or Companies that an import by filters is for. 404 if a Segment does not exist. */
export async function buildImportCondition(ctx: Context, row: Selection): Promise<ImportCondition> {
  const filters = readFilters(row.filters, 'filters', []) ?? [];
  if (row.model_kind === 'company') return { condition: toCondition(filters, row.filters_op, 'company') };
  const inSegment = (op: 'ex' | 'nx') => (value: string) => ({ kind: 'segment' as const, op, value });
  const wanted = row.segment_ids.map(inSegment('ex'));
  const all: Filter[] = [
    { kind: 'group', filters, filters_op: row.filters_op },
    ...(wanted.length > 0 ? [{ kind: 'group' as const, filters: wanted, filters_op: row.segments_op }] : []),
    ...row.excluded_segment_ids.map(inSegment('nx')),
  ];
  return buildCondition(ctx, all, 'and');
}

/** Finds the IDs that meet a condition, in their order, among the IDs that `within` accepts. */
export async function listMatching(
  { account, dialect, now }: Context,
  db: Db,
  model: ImportRow['model_kind'],
  { condition, segment }: ImportCondition,
  within: Within,
): Promise<string[]> {
  const scope = { accountId: account.id, dialect, now: now(), within };
  if (model === 'company') {
    const companies = db.selectFrom('companies').select('id').where('account_id', '=', account.id);
    const rows = await companies
      .where(conditionSql(condition, scope))
      .where(within(sql.ref('id')))
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }
  const lookup = segment ?? noSegments;
  const profiles = selectProfiles({ heavyDb: db, account }, condition, { ...scope, segment: lookup });
  const rows = await profiles
    .select('profiles.id')
    .where(within(sql.ref('profiles.id')))
    .orderBy('profiles.id')
    .execute();
  return rows.map(({ id }) => id);
}

function noSegments(): never {
  throw new Error('Only profiles have Segments');
}
