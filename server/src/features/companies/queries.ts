import {
  type Company,
  type EmbeddedCompany,
  type ExpandLevel,
  type FindCompany,
  timeOfId,
  toTimestamp,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { invalid, notFound } from '../../errors.ts';

export type CompanyRow = Selectable<Schema['companies']>;

export function presentCompany(row: CompanyRow): Company {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    uid: row.uid,
    ...row.custom,
  };
}

/** A Company within something else; undefined when it is to be left out. */
export function embedCompany(row: CompanyRow | undefined, form: ExpandLevel): EmbeddedCompany | undefined {
  if (!row || form === 'skip') return undefined;
  return form === 'all' ? presentCompany(row) : { id: row.id, created_at: toTimestamp(timeOfId(row.id)), uid: row.uid };
}

/** The Company that is meant, held for the rest of the transaction when there is one. */
export async function getCompany(ctx: Context, { id, uid }: FindCompany, lock = false): Promise<CompanyRow> {
  if (id === undefined && uid === undefined) throw invalid('Give the `id` or the `uid` of the Company');
  let query = ctx.db.selectFrom('companies').selectAll().where('account_id', '=', ctx.account.id);
  query = id === undefined ? query.where('uid', '=', uid ?? '') : query.where('id', '=', id);
  const row = await (lock ? ctx.dialect.lockRows(query) : query).executeTakeFirst();
  if (!row) throw notFound('Company');
  if (uid !== undefined && row.uid !== uid)
    throw invalid('`id` and `uid` are of different Companies: give one of them');
  return row;
}

export async function companiesById(ctx: Context, ids: readonly (string | null)[]): Promise<Map<string, CompanyRow>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const query = ctx.db.selectFrom('companies').selectAll().where('account_id', '=', ctx.account.id);
  return new Map((await query.where('id', 'in', wanted).execute()).map((row) => [row.id, row]));
}
