import { chownSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { requireSpace } from '../backup/back-up-sqlite.ts';
import { compactSignals, copyOf } from '../db/sqlite/compact-names.ts';
import { CompactedCopy, DatabaseChanged } from '../db/sqlite/compacted-copy.ts';
import { tryLock } from '../db/sqlite/server-lock.ts';
import { LOCK_WAIT_MS } from '../db/sqlite/sqlite-connection.ts';
import type { Settings } from '../settings/settings.ts';
import { CommandError } from './errors.ts';

/** So few changes are applied within some milliseconds. */
const FEW_CHANGES = 200;
const MAX_HELLO_MS = 10_000;
/** The server first finishes the heavy reads that run. */
const MAX_RELEASE_MS = 60_000;
/** Page loads wait for each try to lock the file. */
const MAX_LOCK_MS = 150;
/** Each takes as long as what was written during the one before. */
const MAX_ROUNDS = 200;
/** Other programs have the file open for some seconds, a backup for minutes. */
const ATTEMPTS = 60;
const ATTEMPT_PAUSE_MS = 5000;

/** Compacts the database of a running server, which closes the file at the end for a moment. */
export async function compactBesideServer(settings: Settings, say: (text: string) => void): Promise<object> {
  const { data, sqliteFile, minFreeDisk } = settings;
  const signals = compactSignals(data);
  const unlock = await lockCommand(signals);
  if (!unlock) throw new CommandError('another “usher compact” works on this database: wait until it is done');
  const copy = new CompactedCopy(sqliteFile, copyOf(sqliteFile));
  // Requests would wait as long as Ctrl+Z keeps this process from going on.
  const goOn = () => {};
  process.on('SIGTSTP', goOn);
  try {
    // The server looks at the lock too.
    belongsToOwnerOf(sqliteFile, signals.lock);
    await greet(signals);
    const bytesBefore = statSync(sqliteFile).size;
    requireSpace(sqliteFile, dirname(sqliteFile), minFreeDisk);
    let bytes: number;
    try {
      copy.begin();
      say('copying the rows');
      copy.fill();
      say('checking the copy');
      copy.check();
      say('copying what has changed meanwhile');
      bytes = await replaceFile(copy, signals);
    } catch (error) {
      cancel(copy);
      if (error instanceof DatabaseChanged)
        throw new CommandError('the server was started again meanwhile, or updated: nothing has changed, so try again');
      throw error;
    }
    // A command that waits for the lock of the old file gives up.
    await pause(LOCK_WAIT_MS + 1000);
    return { compacted: sqliteFile, bytes_before: bytesBefore, bytes };
  } finally {
    for (const file of [signals.hello, signals.request, signals.released]) rmSync(file, { force: true });
    copy.close();
    unlock();
    process.off('SIGTSTP', goOn);
  }
}

type Signals = ReturnType<typeof compactSignals>;

/** The server has the lock for a moment when it clears up. */
async function lockCommand({ lock }: Signals): Promise<(() => void) | undefined> {
  for (let times = 0; times < 3; times++) {
    const unlock = tryLock(lock);
    if (unlock) return unlock;
    await pause(300);
  }
  return undefined;
}

/** What this cannot remove, the server removes when the command has ended. */
function cancel(copy: CompactedCopy): void {
  try {
    copy.cancel();
  } catch {}
}

/** Does not follow a link, because the data folder may belong to somebody else than who runs the command. */
function createSignal(file: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, '', { flag: 'wx' });
}

async function greet({ hello }: Signals): Promise<void> {
  createSignal(hello);
  for (const deadline = Date.now() + MAX_HELLO_MS; existsSync(hello); await pause(50))
    if (Date.now() > deadline)
      throw new CommandError(
        'the server does not respond. If it is of an earlier version: stop it, compact, and start it again',
      );
}

/** Copies what was written meanwhile, until little is left. */
function copyChanges(copy: CompactedCopy): void {
  for (let round = 1; copy.catchUp() > FEW_CHANGES; round++)
    if (round === MAX_ROUNDS)
      throw new CommandError('rows are written as fast as they are copied: try again when the server has less to do');
}

async function replaceFile(copy: CompactedCopy, signals: Signals): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    copyChanges(copy);
    copy.sync();
    await waitForRelease(copy, signals);
    try {
      if (await lock(copy)) return copy.replace();
    } finally {
      rmSync(signals.released, { force: true });
    }
    if (attempt === ATTEMPTS)
      throw new CommandError(
        'another program has the database open, such as a backup or a shell: end it, or wait for it, and try again',
      );
    for (const next = Date.now() + ATTEMPT_PAUSE_MS; Date.now() < next; await pause(200)) copy.catchUp();
  }
}

/** Changes are copied until the last moment. */
async function waitForRelease(copy: CompactedCopy, { request, released }: Signals): Promise<void> {
  createSignal(request);
  for (const deadline = Date.now() + MAX_RELEASE_MS; !existsSync(released); await pause(2)) {
    if (Date.now() > deadline)
      throw new CommandError('the server has not closed the database within a minute: try again when it is less busy');
    copy.catchUp();
  }
}

async function lock(copy: CompactedCopy): Promise<boolean> {
  for (const deadline = Date.now() + MAX_LOCK_MS; Date.now() < deadline; await pause(2)) if (copy.lock()) return true;
  return false;
}

function belongsToOwnerOf(file: string, other: string): void {
  const { uid, gid } = statSync(file);
  if (statSync(other).uid !== uid) chownSync(other, uid, gid);
}
