import { type Backups, isRecent, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { requireInstallationOwner } from './require-installation-owner.ts';
import { showBackups } from './show-backups.ts';

/** Each backup pushes an old one out, so that somebody who repeats this would soon have no older ones. */
const MIN_AGE_MS: Millis = 10 * 60_000;

export async function startBackup(ctx: Context): Promise<Backups> {
  await requireInstallationOwner(ctx);
  const { schedule } = ctx.app.backups;
  if (!schedule) throw conflict('There is no place for backups: set USHER_BACKUP_TO, and start the server again');
  const { last } = await schedule.readState();
  if (last && isRecent(last.at, ctx.now(), MIN_AGE_MS))
    throw conflict('The last backup is less than ten minutes old: use that one, or wait');
  if (!(await schedule.start())) throw conflict('A backup is being made already: wait until it is complete');
  await ctx.transaction((tx) => recordAudit(tx, 'backup.create', null, { place: schedule.place }));
  return showBackups(ctx);
}
