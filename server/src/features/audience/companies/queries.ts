import type { FindCompany } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { invalid, notFound } from '../../../errors.ts';

export type CompanyRow = Selectable<Schema['companies']>;

function companiesOf(ctx: Context) {
  return ctx.db.selectFrom('companies').selectAll().where('account_id', '=', ctx.account.id);
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
