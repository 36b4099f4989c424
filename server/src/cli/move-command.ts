import { randomBytes } from 'node:crypto';
import type { Engine } from '@usher/domain';
import { listAppliedMigrations } from '../db/migrate.ts';
import { migrations } from '../db/migrations/index.ts';
import { type ComparedTable, compareTables } from '../db/transfer/compare-tables.ts';
import { copyTables, movedTables, requireState } from '../db/transfer/copy-tables.ts';
import { endReadOnly, makeReadOnly } from '../db/transfer/read-only.ts';
import {
  type MovedTo,
  readNotes,
  requireRestored,
  timeOf,
  type UnfinishedMove,
  writeMovedFrom,
  writeMovedTo,
  writeUnfinished,
} from '../db/transfer/transfer-notes.ts';
import type { TransferSide } from '../db/transfer/transfer-side.ts';
import type { Settings } from '../settings/settings.ts';
import { findSendingPause, pauseFrom, pauseSending, unpauseSending } from '../webhooks/sending/paused.ts';
import { CommandError, UsageError } from './errors.ts';
import { type MoveTarget, openSource, readTarget } from './move-places.ts';
import { showMoveProgress } from './move-progress.ts';

type Say = (text: string) => void;

/**
 * `usher move --to PLACE`: copies everything to an empty database of the other engine, and compares both at the end.
 * `usher move cancel`: uses the original again.
 */
export async function runMove(
  settings: Settings,
  words: readonly string[],
  { to }: { to?: string },
  say: Say,
): Promise<object> {
  if (words.length === 1 && words[0] === 'cancel' && to === undefined) return cancelMove(settings);
  if (words.length > 0 || to === undefined || to === '')
    throw new UsageError(
      'give the new database: usher move --to postgres://…, or, from PostgreSQL, usher move --to FOLDER. usher move cancel gives a move up',
    );
  const target = readTarget(settings, to);
  const source = openSource(settings);
  try {
    return await moveFrom(source.side, target, say);
  } finally {
    await source.close();
    await target.close();
  }
}

async function moveFrom(source: TransferSide, target: MoveTarget, say: Say): Promise<object> {
  await requireCurrentSchema(source);
  const { moved_to: known } = await readNotes(source.db);
  if (known?.moved_at !== undefined)
    throw new CommandError(
      `everything in this database was moved to ${known.to} at ${timeOf(known.moved_at)}. To use this one again, as it was then: usher move cancel`,
    );
  const found = await target.inspect(known?.id);
  if (found === 'empty' && known && known.to !== target.name)
    throw new CommandError(
      `a move to ${known.to} has begun: go on with it (usher move --to …), or give it up first (usher move cancel)`,
    );
  const note: MovedTo = { id: randomBytes(12).toString('hex'), to: target.name, began_at: Date.now(), ...known };
  await close(source, note);
  const side = await target.open();
  const state = await takeOver(side, source, note);
  const total = await countRows(source);
  const copying = showMoveProgress('copying', total, state?.rows ?? 0, say);
  const copied = state && (await copyTables(source, side, state, copying));
  const compared = await compareTables(source, side, showMoveProgress('comparing', total, 0, say));
  requireEqual(compared, source, side);
  await target.bringFiles();
  const { rows, replaced } = await finish(side, source, note, copied);
  return {
    moved: side.name,
    tables: compared.length,
    rows,
    compared: 'the rows of every table are equal',
    ...(Object.keys(replaced).length > 0 && { replaced: describeReplaced(replaced) }),
    original: `${source.name} is kept, and can only be read`,
    webhooks: 'paused: usher webhooks resume, with the new settings, turns sending on',
    next: target.next,
  };
}

async function requireCurrentSchema({ db, engine, name }: TransferSide): Promise<void> {
  if (engine === 'postgres') await requireRestored(db);
  const applied = await listAppliedMigrations(db, engine);
  if (applied.length === 0) throw new CommandError(`there is no database of Usher at ${name}: check the settings`);
  const isCurrent = applied.join() === Object.keys(migrations).sort().join();
  if (!isCurrent)
    throw new CommandError(
      `the schema of ${name} is of another version of Usher: run usher migrate with this one first`,
    );
}

/** From here on nothing writes to the original, whatever runs, until the move is canceled. */
async function close(source: TransferSide, note: MovedTo): Promise<void> {
  await source.write(async (db) => {
    await pauseSending(db, { reason: reasonOf(note), at: note.began_at });
    await writeMovedTo(db, note);
  });
  if (source.engine === 'postgres') await makeReadOnly(source.db);
}

/** Begins to write, or goes on. Returns nothing if everything is there already. */
async function takeOver(
  target: TransferSide,
  source: TransferSide,
  { id }: MovedTo,
): Promise<UnfinishedMove | undefined> {
  const claim = randomBytes(6).toString('hex');
  return target.write(async (db) => {
    const { unfinished_move: known, moved_from: complete } = await readNotes(db);
    if (complete?.id === id) return undefined;
    const begun: UnfinishedMove = { id, from: source.name, claim, tables: 0, after: null, rows: 0, replaced: {} };
    if (known) {
      const state = { ...known, claim };
      await writeUnfinished(db, state);
      return state;
    }
    // The migrations have stored who has changed the schema. What the original has of this comes with its rows.
    await db.deleteFrom('installation').where('name', 'is not', null).execute();
    await writeUnfinished(db, begun);
    return begun;
  });
}

async function countRows(source: TransferSide): Promise<number> {
  let count = 0;
  for (const table of movedTables) count += await source.countRows(table);
  return count;
}

function requireEqual(compared: readonly ComparedTable[], source: TransferSide, target: TransferSide): void {
  const different = compared.filter(({ isEqual }) => !isEqual);
  if (different.length === 0) return;
  const list = different.map(({ table, rows, otherRows }) => `${table} (${rows} and ${otherRows} rows)`).join(', ');
  throw new CommandError(
    `not moved: ${source.name} and ${target.name} differ in ${list}. The original is as it was: run usher move cancel, empty ${target.name}, and try again`,
  );
}

/** Makes the new database usable. It does not send before an operator resumes it, like a restored one. */
async function finish(target: TransferSide, source: TransferSide, note: MovedTo, copied: UnfinishedMove | undefined) {
  const moved_at = Date.now();
  await target.finish();
  const result = await target.write(async (db) => {
    const { moved_from: complete } = await readNotes(db);
    if (!copied) return complete ?? { rows: 0, replaced: {} };
    await requireState(db, copied);
    await writeUnfinished(db, undefined);
    await writeMovedFrom(db, {
      id: note.id,
      from: source.name,
      moved_at,
      rows: copied.rows,
      replaced: copied.replaced,
    });
    await pauseFrom(db, { reason: `moved from ${source.name} at ${timeOf(moved_at)}`, at: moved_at });
    return copied;
  });
  await source.write(async (db) => {
    await pauseFrom(db, { reason: `moved to ${note.to} at ${timeOf(moved_at)}`, at: moved_at });
    await writeMovedTo(db, { ...note, moved_at });
  });
  return result;
}

function reasonOf({ to }: MovedTo): string {
  return `being moved to ${to}`;
}

function describeReplaced(replaced: Record<string, number>): string {
  const list = Object.entries(replaced).map(([place, count]) => `${place} (${count})`);
  return `characters that PostgreSQL cannot store became \uFFFD in ${list.join(', ')}`;
}

async function cancelMove(settings: Settings): Promise<object> {
  const { side, close: closeSource } = openSource(settings);
  try {
    await requireCurrentSchema(side);
    const { moved_to: known } = await readNotes(side.db);
    if (!known) throw new CommandError(`${side.name} was not moved: there is nothing to cancel`);
    const pause = await findSendingPause({ reader: () => side.db });
    const isOurs = known.moved_at === undefined && pause?.reason === reasonOf(known);
    await side.write(async (db) => {
      if (isOurs) await unpauseSending(db);
      await writeMovedTo(db, undefined);
    });
    if (side.engine === 'postgres') await endReadOnly(side.db);
    return { canceled: `the move to ${known.to}`, usable: side.name, ...describeCancel(known, isOurs, side.engine) };
  } finally {
    await closeSource();
  }
}

function describeCancel({ to, moved_at }: MovedTo, isOurs: boolean, engine: Engine): object {
  if (moved_at !== undefined)
    return {
      webhooks: `paused, because ${to} may send: usher webhooks resume turns sending on here`,
      note: `what was stored in ${to} since ${timeOf(moved_at)} is not here`,
    };
  return {
    webhooks: isOurs ? 'sending again' : 'as they were before: paused',
    note: `a part of the rows may be in ${to}: ${engine === 'sqlite' ? 'empty it' : 'remove the file'} before another move`,
  };
}
