import type { Engine, Millis } from '@usher/domain';
import { WrongSetting } from '../../settings/read-setting.ts';
import { CLEARED_BY } from '../sqlite/written-pages.ts';
import type { Db } from '../storage.ts';
import { hasReplaced } from './replaced-schema.ts';
import type { CanonicalRow } from './transfer-side.ts';

/** The entries of `installation` that belong to one database, and not to the installation. They are not moved. */
const MOVED_TO = 'moved_to';
const UNFINISHED = 'unfinished_move';
const MOVED_FROM = 'moved_from';
export const notesOfOneDatabase = [
  MOVED_TO,
  UNFINISHED,
  MOVED_FROM,
  // A start compares it with the database that it finds, and would take the new one for a copy.
  'database_identity',
  // The new database has its own pause, and the pages of its own file.
  'sending_paused',
  'sending_paused_at',
  CLEARED_BY,
];

/** In the original: where it is moved to, and since when it has been there. */
export interface MovedTo {
  /** The same in both databases of a move. */
  id: string;
  to: string;
  began_at: Millis;
  moved_at?: Millis;
}

/** In the new database, until all rows are there: the place where the next portion begins. */
export interface UnfinishedMove {
  id: string;
  from: string;
  /** The process that writes. Another one that goes on with the move takes it over. */
  claim: string;
  /** How many tables are complete. */
  tables: number;
  /** The key of the last row of the next table that is there. */
  after: CanonicalRow | null;
  /** How many rows are there. */
  rows: number;
  /** How many values of each column had characters that PostgreSQL cannot store. */
  replaced: Record<string, number>;
}

/** In the new database, when the move is complete. */
export interface MovedFrom {
  id: string;
  from: string;
  moved_at: Millis;
  /** Of the last portion, for the report of a run that was interrupted after it. */
  rows: number;
  replaced: Record<string, number>;
}

interface Notes {
  [MOVED_TO]?: MovedTo;
  [UNFINISHED]?: UnfinishedMove;
  [MOVED_FROM]?: MovedFrom;
}

export async function readNotes(db: Db): Promise<Notes> {
  const rows = await db
    .selectFrom('installation')
    .selectAll()
    .where('name', 'in', [MOVED_TO, UNFINISHED, MOVED_FROM])
    .execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]));
}

export const writeMovedTo = (db: Db, value: MovedTo | undefined) => writeNote(db, MOVED_TO, value);
export const writeUnfinished = (db: Db, value: UnfinishedMove | undefined) => writeNote(db, UNFINISHED, value);
export const writeMovedFrom = (db: Db, value: MovedFrom) => writeNote(db, MOVED_FROM, value);

async function writeNote(db: Db, name: string, content: object | undefined): Promise<void> {
  if (!content) {
    await db.deleteFrom('installation').where('name', '=', name).execute();
    return;
  }
  const value = JSON.stringify(content);
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Locks the state of an unfinished move until the transaction ends, and reads it. */
export async function lockUnfinished(db: Db): Promise<UnfinishedMove | undefined> {
  await db
    .updateTable('installation')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('name', '=', UNFINISHED)
    .execute();
  return (await readNotes(db)).unfinished_move;
}

/** A database that no server and no command may use, because of a move or a restore. The message says what to do. */
class DatabaseUnusable extends WrongSetting {}

/** Keeps servers and commands from the original of a move, and from a database that a move or a restore has not completed. */
export async function requireUsable(
  db: Db,
  engine: Engine,
  appliedMigrations: readonly string[],
  { isRestoring }: { isRestoring: boolean },
): Promise<void> {
  if (engine === 'postgres' && !isRestoring) await requireRestored(db);
  const moved = await findMove(db, appliedMigrations);
  if (moved !== undefined) throw new DatabaseUnusable(moved);
}

const interrupted =
  'a restore into this database was interrupted: run “usher restore” with the backup and --force again';

/** Keeps a move from a database of PostgreSQL that a restore has not completed. */
export async function requireRestored(db: Db): Promise<void> {
  if (await hasReplaced(db)) throw new DatabaseUnusable(interrupted);
}

/** Why no server and no command may use a database, and what to do; undefined if they may. */
export async function findUnusable(
  db: Db,
  engine: Engine,
  appliedMigrations: readonly string[],
): Promise<string | undefined> {
  return engine === 'postgres' && (await hasReplaced(db)) ? interrupted : findMove(db, appliedMigrations);
}

async function findMove(db: Db, appliedMigrations: readonly string[]): Promise<string | undefined> {
  if (!appliedMigrations.includes('0016-installation')) return undefined;
  const { moved_to: to, unfinished_move: from } = await readNotes(db);
  if (from)
    return `the move from ${from.from} into this database is not complete: run “usher move” there again, which goes on where it was`;
  if (to?.moved_at !== undefined)
    return `everything in this database was moved to ${to.to} at ${timeOf(to.moved_at)}: start Usher with that database. To use this one again, as it was then: usher move cancel`;
  if (to)
    return `this database is being moved to ${to.to}: run “usher move” again to go on, or “usher move cancel” to use this database again`;
  return undefined;
}

export function timeOf(at: Millis): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
