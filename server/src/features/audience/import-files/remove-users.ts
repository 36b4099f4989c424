import { type CsvDelimiter, type CsvRecord, emailKey, isDistinctiveUid, readRecords } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { firstPieceOf, type ImportRow, lockImports } from './import-rows.ts';

type User = { id: string; uid: string; email: string | null };
type RowMatcher = (cells: readonly string[]) => boolean;

const FAILURES_PER_READ = 1000;

/**
 * Removes forgotten users from what imports have stored: their rows from files, and rows that failed. In the transaction that
 * forgets them. `scrub` takes their names out of filters and names. The file of the import `ownId`, which deletes them, stays
 * until it is done: otherwise it would be read again for every chunk.
 */
export async function removeFromImports(
  ctx: Context,
  users: readonly User[],
  scrub: (row: ImportRow) => Pick<ImportRow, 'name' | 'filters'>,
  ownId?: string,
): Promise<void> {
  for (const row of await lockImports(ctx)) {
    const { name, filters } = scrub(row);
    const isOfUser = buildRowMatcher(users, row);
    const hasFile = row.file_id !== null && row.id !== ownId;
    const fileChanged = hasFile && (await removeFromFile(ctx, row, row.file_id ?? '', isOfUser));
    if (row.failed_count > 0) await removeFailures(ctx, row, isOfUser);
    const isRenamed = name !== row.name || JSON.stringify(filters) !== JSON.stringify(row.filters);
    if (!isRenamed && !fileChanged) continue;
    await ctx.db
      .updateTable('imports')
      .set({ name, filters: JSON.stringify(filters), file_version: row.file_version + (fileChanged ? 1 : 0) })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', row.id)
      .execute();
  }
}

/**
 * A row is about a user if any cell is their ID or email, or the column of the `uid` is theirs. Before that column is chosen, it
 * may be any, as long as the `uid` is more than a short word or number.
 */
function buildRowMatcher(users: readonly User[], row: ImportRow): RowMatcher {
  const anywhere = new Set(users.flatMap(({ id, email }) => [id, ...(email === null ? [] : [emailKey(email)])]));
  const isOfProfiles = row.model_kind === 'profile';
  const uids = new Set(users.map(({ uid }) => uid));
  const column = row.properties.find(({ prop }) => prop === 'uid')?.name;
  const uidIndex = isOfProfiles && column !== undefined ? (row.head_columns ?? []).indexOf(column) : -1;
  const mayBeAnywhere = row.import_at === null || uidIndex === -1;
  if (mayBeAnywhere) for (const { uid } of users) if (isDistinctiveUid(uid)) anywhere.add(emailKey(uid));
  return (cells) =>
    cells.some((cell, index) => {
      const text = cell.trim();
      return anywhere.has(emailKey(text)) || (index === uidIndex && uids.has(text));
    });
}

/** An empty line takes the place of each row, so that all other rows keep their numbers. */
async function removeFromFile(ctx: Context, row: ImportRow, fileId: string, isOfUser: RowMatcher): Promise<boolean> {
  let changed = false;
  for (let position = firstPieceOf(row); ; position++) {
    const stored = await ctx.db
      .selectFrom('import_pieces')
      .select('bytes')
      .where('account_id', '=', ctx.account.id)
      .where('file_id', '=', fileId)
      .where('position', '=', position)
      .executeTakeFirst();
    if (!stored) return changed;
    const records = readRecords(stored.bytes.toString('utf8'), row.delimiter as CsvDelimiter);
    if (!records.some(({ cells }) => isOfUser(cells))) continue;
    changed = true;
    await ctx.db
      .updateTable('import_pieces')
      .set({ bytes: Buffer.from(records.map((record) => textWithout(record, isOfUser)).join('')) })
      .where('account_id', '=', ctx.account.id)
      .where('file_id', '=', fileId)
      .where('position', '=', position)
      .execute();
  }
}

function textWithout({ cells, text }: CsvRecord, isOfUser: RowMatcher): string {
  return isOfUser(cells) ? '\r\n' : text;
}

async function removeFailures(ctx: Context, { id }: ImportRow, isOfUser: RowMatcher): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await failuresOf(ctx, id, after).limit(FAILURES_PER_READ).execute();
    const records = rows.filter(({ cells }) => isOfUser(JSON.parse(cells))).map(({ record }) => record);
    if (records.length > 0)
      await ctx.db
        .deleteFrom('import_failures')
        .where('account_id', '=', ctx.account.id)
        .where('import_id', '=', id)
        .where('record', 'in', records)
        .execute();
    const last = rows.at(-1);
    if (!last) return;
    after = last.record;
  }
}

/** The rows that failed, in their order in the file, after one of them. */
export function failuresOf({ db, account }: Pick<Context, 'db' | 'account'>, importId: string, after: number) {
  return db
    .selectFrom('import_failures')
    .select(['record', 'cells', 'reason'])
    .where('account_id', '=', account.id)
    .where('import_id', '=', importId)
    .where('record', '>', after)
    .orderBy('record');
}
