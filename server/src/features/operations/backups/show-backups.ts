import { type Backups, toTimestamp, toTimestampOrNull } from '@usher/domain';
import { backupNames } from '../../../backup/backup-names.ts';
import { BackupProblem } from '../../../backup/errors.ts';
import { isClaimed } from '../../../backup/scheduled-state.ts';
import type { BackupSchedule, Context } from '../../../context.ts';
import { requireInstallationOwner } from './require-installation-owner.ts';

const HOUR_MS = 60 * 60_000;

export async function showBackups(ctx: Context): Promise<Backups> {
  await requireInstallationOwner(ctx);
  const { app, now } = ctx;
  const { schedule } = app.backups;
  const { engine, bytes: database_bytes } = await app.storage.status();
  if (!schedule)
    return {
      ...{ engine, database_bytes, place: null, every_hours: null, keep: null },
      ...{ running: null, failed_at: null, problem: null, list: [] },
    };
  const { place, everyMs, keep } = schedule;
  const { error, progress, ...state } = await schedule.readState();
  const { found, problem } = await findBackups(schedule);
  const last = found[0]?.at ?? now();
  return {
    ...{ engine, database_bytes, place, every_hours: everyMs / HOUR_MS, keep },
    running: isClaimed(state, now()) ? { bytes: Number(progress ?? 0) } : null,
    failed_at: toTimestampOrNull(error?.at ?? null),
    problem: problem ?? error?.message ?? null,
    list: found.map(({ name, bytes, at }, position) => ({
      ...{ name, bytes, created_at: toTimestamp(at) },
      // It is removed with the backup by which there are more than `keep`.
      kept_until: toTimestamp(last + Math.max(1, keep - position) * everyMs),
      restore_command: `npx usher restore ${place}/${name}${engine === 'postgres' ? ' --force' : ''}`,
    })),
  };
}

/** A disk that is not mounted is no error of the server: the page says what is wrong. */
async function findBackups({ list }: BackupSchedule) {
  try {
    const files = await list();
    const found = files.flatMap(({ name, bytes }) => {
      const at = backupNames.timeOf(name);
      return at === undefined ? [] : { name, bytes, at };
    });
    return { found: found.sort((one, other) => other.at - one.at), problem: undefined };
  } catch (error) {
    if (!(error instanceof BackupProblem)) throw error;
    return { found: [], problem: error.message };
  }
}
