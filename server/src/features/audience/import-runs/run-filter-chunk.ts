import { isDeleteImport } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import type { Db } from '../../../db/storage.ts';
import type { ImportRow } from '../import-files/import-rows.ts';
import { buildImportCondition, listMatching } from '../import-files/select-records.ts';
import { type ChunkRow, runChunk } from './run-chunk.ts';
import type { ImportRun } from './run-import.ts';

/** So many records are looked at to find those of one chunk. */
const LOOKED_AT = 20;

/** Stores the next records that the filters find, in the order of their IDs. Returns whether there are no more. */
export async function runFilterChunk(
  ctx: Context,
  { pace }: ImportRun,
  found: ImportRow,
  size: number,
  began: number,
): Promise<boolean> {
  const row = found.last_id === null ? await setLastId(ctx, found) : found;
  const lastId = row.last_id as string;
  const db = pace.isOwnThread ? ctx.db : ctx.heavyDb;
  const nth = await findNth(ctx, db, row, LOOKED_AT * size);
  const end = nth === undefined || nth >= lastId ? lastId : nth;
  const condition = await buildImportCondition(ctx, row);
  const between: Within = (id) => sql`(${id} > ${row.after_id} and ${id} <= ${end})`;
  const ids = await listMatching(ctx, db, row.model_kind, condition, between);
  const isByOne = isDeleteImport(row.kind) && row.model_kind === 'company' && !row.is_dry_run;
  const chosen = ids.slice(0, isByOne ? 1 : size);
  const next = chosen.length < ids.length ? (chosen.at(-1) as string) : end;
  return runChunk(ctx, row, {
    rows: chosen.map(toRow),
    place: { after_id: next },
    isDone: next === lastId,
    began,
    confirm: (ctx, rows) => stillMatching(ctx, row, rows),
  });
}

function toRow(id: string): ChunkRow {
  return { record: 0, cells: [], reading: { value: { id, custom: {} } } };
}

/** Records that are created later are not part of the import, which would otherwise never end. */
async function setLastId(ctx: Context, row: ImportRow): Promise<ImportRow> {
  return ctx.transaction(async (ctx) => {
    const { id: last_id } = (await ctx.clock()).newRow();
    await ctx.db
      .updateTable('imports')
      .set({ last_id })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', row.id)
      .execute();
    return { ...row, last_id };
  });
}

/** Locks the records, and leaves out the ones that have changed and do not match any more. */
async function stillMatching(ctx: Context, row: ImportRow, rows: readonly ChunkRow[]): Promise<readonly ChunkRow[]> {
  const ids = rows.flatMap(({ reading }) => ('value' in reading ? (reading.value.id ?? []) : []));
  if (ids.length === 0) return [];
  const isIn: Within = (id) => sql`${id} in (${sql.join(ids)})`;
  const table = row.model_kind === 'profile' ? 'profiles' : 'companies';
  // Members are locked before their Company.
  if (table === 'profiles') {
    const query = ctx.db.selectFrom(table).select('id').where('account_id', '=', ctx.account.id).where('id', 'in', ids);
    await ctx.dialect.lockRows(query.orderBy('id')).execute();
  }
  const condition = await buildImportCondition(ctx, row);
  const matching = new Set(await listMatching(ctx, ctx.db, row.model_kind, condition, isIn));
  return rows.filter((_, index) => matching.has(ids[index] as string));
}

async function findNth({ account }: Context, db: Db, row: ImportRow, count: number): Promise<string | undefined> {
  const found = await db
    .selectFrom(row.model_kind === 'profile' ? 'profiles' : 'companies')
    .select('id')
    .where('account_id', '=', account.id)
    .where('id', '>', row.after_id)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}
