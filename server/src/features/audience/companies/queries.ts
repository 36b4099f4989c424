import {
  type Company,
  type EmbeddedCompany,
  type ExpandLevel,
  type FindCompany,
  timeOfId,
  toTimestamp,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { invalid, notFound } from '../../../errors.ts';

export type CompanyRow = Selectable<Schema['companies']>;

function companiesOf(ctx: Context) {
  return ctx.db.selectFrom('companies').selectAll().where('account_id', '=', ctx.account.id);
}

export function presentCompany(row: CompanyRow): Company {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    uid: row.uid,
    ...row.custom,
  };
}

/** Presents a Company as a part of another record. Returns undefined if it is to be left out. */
export function embedCompany(row: CompanyRow | undefined, form: ExpandLevel): EmbeddedCompany | undefined {
  if (!row || form === 'skip') return undefined;
  return form === 'all' ? presentCompany(row) : { id: row.id, created_at: toTimestamp(timeOfId(row.id)), uid: row.uid };
}

/** Finds a Company by `id` or `uid`. With `lock`, it stays locked until the transaction ends. */
export async function getCompany(ctx: Context, { id, uid }: FindCompany, lock = false): Promise<CompanyRow> {
  if (id === undefined && uid === undefined) throw invalid('Give the `id` or the `uid` of the Company');
  const all = companiesOf(ctx);
  const query = id === undefined ? all.where('uid', '=', uid ?? '') : all.where('id', '=', id);
  const row = await (lock ? ctx.dialect.lockRows(query) : query).executeTakeFirst();
  if (!row) throw notFound('Company');
  if (uid !== undefined && row.uid !== uid)
    throw invalid('`id` and `uid` are of different Companies: give one of them');
  return row;
}

export async function companiesById(ctx: Context, ids: readonly (string | null)[]): Promise<Map<string, CompanyRow>> {
  const wantedIds = [...new Set(ids)].filter((id) => id !== null);
  if (wantedIds.length === 0) return new Map();
  return new Map((await companiesOf(ctx).where('id', 'in', wantedIds).execute()).map((row) => [row.id, row]));
}
