import { closeSync, openSync } from 'node:fs';
import type { Millis } from '@usher/domain';
import { BackupProblem } from '../backup/errors.ts';
import { keepClaim } from '../backup/scheduled-state.ts';
import { type BackupStore, openStore } from '../backup/store.ts';
import { writeBackup } from '../backup/write-backup.ts';
import type { AppContext } from '../context.ts';
import type { YieldToRequests } from '../http/route.ts';
import type { Settings } from '../settings/settings.ts';
import { giveUpFile, holdFile, listFiles, noteWritten, type OpenFile, openFile, sealFile } from './export-files.ts';
import { exportNames, folderUse } from './export-names.ts';
import { type ExportColumn, exportTables, type Row, testUsers } from './export-tables.ts';
import { addUids, findPending, type Key, type Search, takeRows } from './pending-rows.ts';
import { createRowWriter, type RowWriter } from './row-writer.ts';

const KEEP_MS: Millis = 30_000;
const PROFILES_PER_READ = 2000;
/** While there are no other requests, more rows get their number together: each time the disk is waited for. */
const IDLE_FACTOR = 10;

/** What a run needs to know. It can be passed to a thread. */
export type ExportTarget = Pick<Settings, 's3' | 'data'> & { export: NonNullable<Settings['export']> };

/** How a run shares its thread with others. */
export interface ExportPace {
  isBusy(): boolean;
  yieldToRequests: YieldToRequests;
  isStopped(): boolean;
}

/** A server stops: the rows of the file that was being written are exported by the next run. */
class ExportStopped extends BackupProblem {
  constructor() {
    super('the export was stopped');
  }
}

export interface ExportResult {
  files: number;
  rows: number;
  bytes: number;
}

/** What a run has in its hands, and what it has done. */
interface Run {
  app: AppContext;
  target: ExportTarget;
  store: BackupStore;
  pace: ExportPace;
  claim: string;
  result: ExportResult;
  /** What it does now, in words. */
  progress: string;
  note(progress: string): void;
}

/**
 * Writes every row that is in no file yet into files, account by account. A row gets the number of its file in the transaction that reads
 * it, and the file appears in the folder or bucket only after no more rows get its number. So whenever a run ends, each row is in one file.
 */
export async function runExport(
  app: AppContext,
  target: ExportTarget,
  pace: ExportPace,
  note: (progress: string) => void = () => {},
): Promise<ExportResult> {
  const run: Run = {
    ...{ app, target, pace, note },
    store: openStore(target.export.to, target, folderUse),
    claim: app.newId(),
    result: { files: 0, rows: 0, bytes: 0 },
    progress: '',
  };
  const keeping = setInterval(() => keepClaim(app, 'scheduled_export', run.progress).catch(() => {}), KEEP_MS);
  try {
    await run.store.check();
    const names = new Set((await run.store.list()).map(({ name }) => name));
    const accounts = await app.storage.reader(null).selectFrom('accounts').select('id').orderBy('id').execute();
    for (const { id } of accounts) await exportAccount(run, id, names);
    await app.storage.syncToDisk();
    return run.result;
  } finally {
    clearInterval(keeping);
  }
}

async function exportAccount(run: Run, accountId: string, names: ReadonlySet<string>): Promise<void> {
  const { app } = run;
  const givenUp = await settleFiles(run, accountId, names);
  const known = await listFiles(app, accountId);
  const isKnown = new Set(known.map(({ name }) => name));
  const foreign = [...names].find((name) => exportNames.isOf(name, accountId) && !isKnown.has(name));
  if (foreign !== undefined)
    throw new BackupProblem(
      `${foreign} is there already, and this database has not written it: a backup was restored, or another copy of this installation exports to the same place. Move the files away that are newer than this database and delete their rows in the warehouse, or choose another USHER_EXPORT_TO (docs/export.md)`,
    );
  for (const table of exportTables) {
    const search = { app, accountId, table, givenUp };
    const isFirst = !known.some((file) => file.table_name === table.name && file.written_at !== null);
    await exportTable(run, search, isFirst);
  }
  await writeTestUsers(run, accountId);
}

/**
 * Decides about files of runs that did not end: one that is there has all of its rows, because it appears after it was sealed. All others
 * are given up. Returns the numbers of all files that were ever given up.
 */
async function settleFiles(run: Run, accountId: string, names: ReadonlySet<string>): Promise<number[]> {
  const { app, store } = run;
  const givenUp: number[] = [];
  for (const { number, name, written_at, given_up_at } of await listFiles(app, accountId)) {
    if (written_at !== null) continue;
    if (given_up_at === null && names.has(name)) {
      await noteWritten(app, accountId, number);
      continue;
    }
    if (given_up_at === null) await giveUpFile(app, accountId, number);
    // A run that had lost its claim may still have put it there.
    else if (names.has(name)) await store.remove(name);
    givenUp.push(number);
  }
  return givenUp;
}

/** @param isFirst then a file is written even without rows, so that queries find its columns */
async function exportTable(run: Run, search: Search, isFirst: boolean): Promise<void> {
  const keys = keysIn(findPending(search));
  const { rowsPerFile } = run.target.export;
  for (let isNext = isFirst; ; isNext = false) {
    const first = await keys.next();
    if (first === undefined && !isNext) return;
    await writeFile(run, search, first, keys, rowsPerFile);
    if (first === undefined) return;
  }
}

/** Returns keys in portions, and the rest of a page when there is one. */
function keysIn(pages: AsyncGenerator<Key[]>) {
  let page: readonly Key[] = [];
  return {
    async next(most = 1): Promise<readonly Key[] | undefined> {
      if (page.length === 0) {
        const found = await pages.next();
        if (found.done) return undefined;
        page = found.value;
      }
      const keys = page.slice(0, most);
      page = page.slice(most);
      return keys;
    },
  };
}

async function writeFile(
  run: Run,
  search: Search,
  first: readonly Key[] | undefined,
  more: ReturnType<typeof keysIn>,
  rowsPerFile: number,
): Promise<void> {
  const { app, store, pace, claim, result } = run;
  const { accountId, table } = search;
  const { format } = run.target.export;
  const nameOf = (number: number) => exportNames.create({ table: table.name, accountId, number, format });
  const file = await app.storage.write(accountId, (db) => openFile(app, db, accountId, { table, claim, nameOf }));
  let rows = 0;
  const fill = async (writer: RowWriter) => {
    const append = async (keys: readonly Key[]) => {
      const taken = await take(run, search, file, keys);
      writer.append(taken);
      rows += taken.length;
    };
    if (first) await append(first);
    while (first && rows < rowsPerFile) {
      const began = performance.now();
      if (pace.isStopped()) throw new ExportStopped();
      const most = app.storage.dialect.rowsPerWrite * (pace.isBusy() ? 1 : IDLE_FACTOR);
      const keys = await more.next(Math.min(most, rowsPerFile - rows));
      if (keys === undefined) break;
      await append(keys);
      run.progress = `${table.name}: ${result.rows + rows} rows`;
      run.note(run.progress);
      await pace.yieldToRequests(began);
    }
  };
  try {
    const { bytes } = await store.save(file.name, (path) =>
      writeRows(path, format, table.columns, fill, (bytes) => sealFile(app, accountId, file, { rows, bytes })),
    );
    await noteWritten(app, accountId, file.number);
    result.files += 1;
    result.rows += rows;
    result.bytes += bytes;
  } catch (error) {
    // If this fails too, the next run finds out whether the file has appeared.
    if (error instanceof ExportStopped) await giveUpFile(app, accountId, file.number).catch(() => {});
    throw error;
  }
}

async function take(run: Run, search: Search, file: OpenFile, keys: readonly Key[]): Promise<Row[]> {
  const { app } = run;
  const rows = await app.storage.write(search.accountId, async (db) => {
    await holdFile(app, db, search.accountId, file);
    return takeRows(search, db, keys, file.number);
  });
  return addUids(search, rows);
}

/** Fills a file beside the path; `seal` is called when it is complete, before it appears at the path. */
async function writeRows(
  path: string,
  format: ExportTarget['export']['format'],
  columns: readonly ExportColumn[],
  fill: (writer: RowWriter) => Promise<void>,
  seal: (bytes: number) => Promise<void> = async () => {},
): Promise<void> {
  await writeBackup(path, { force: true, what: 'export' }, async (part) => {
    const handle = openSync(part, 'w');
    let bytes = 0;
    try {
      const writer = await createRowWriter(format, handle, columns);
      await fill(writer);
      bytes = writer.finish();
    } finally {
      closeSync(handle);
    }
    await seal(bytes);
  });
}

/** Test users change at any time, also for rows that were exported: so the file has all of them, and takes the place of the last one. */
async function writeTestUsers({ app, store, target }: Run, accountId: string): Promise<void> {
  const { format } = target.export;
  const name = exportNames.createSnapshot({ table: testUsers.name, accountId, format });
  await store.save(name, (path) =>
    writeRows(path, format, testUsers.columns, async (writer) => {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const rows = await app.storage
          .heavyReader(accountId)
          .selectFrom('profiles')
          .select(['account_id', 'id as profile_id'])
          .where('account_id', '=', accountId)
          .where('is_test', '=', true)
          .where('id', '>', after)
          .orderBy('id')
          .limit(PROFILES_PER_READ)
          .execute();
        writer.append(rows);
        after = rows.at(-1)?.profile_id;
      }
    }),
  );
}
