import { toTimestamp, toTimestampOrNull } from '@usher/domain';
import { BackupProblem, describeProblem } from '../backup/errors.ts';
import { FolderStore } from '../backup/folder-store.ts';
import { claimWork, recordOutcome, releaseClaim } from '../backup/scheduled-state.ts';
import { describeTarget, openStore } from '../backup/store.ts';
import type { AppContext } from '../context.ts';
import { forEachAccount } from '../db/for-each-account.ts';
import { listFiles } from '../exports/export-files.ts';
import { folderUse } from '../exports/export-names.ts';
import { type ExportTarget, runExport } from '../exports/run-export.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from './errors.ts';

const WORK = 'scheduled_export';

/** `usher export` exports what is new now, also beside the server; `usher export list` shows all files. */
export async function runExportCommand(
  app: AppContext,
  settings: Settings,
  words: string[],
  terminal: { progress?: ((text: string) => void) | undefined; untilStopped(): Promise<unknown> },
): Promise<unknown> {
  if (words[0] === 'list' && words.length === 1) return listAll(app);
  if (words.length > 0) throw new UsageError('there are two commands: usher export, and usher export list');
  const target = targetOf(settings);
  const store = openStore(target.export.to, settings, folderUse);
  if (store instanceof FolderStore) await store.create();
  await store.check();
  if (!(await claimWork(app, WORK, 0)))
    throw new BackupProblem('an export runs already, or one has just failed: try again in some minutes');
  let isStopped = false;
  void terminal.untilStopped().then(() => {
    isStopped = true;
  });
  const pace = { isBusy: () => false, yieldToRequests: async () => {}, isStopped: () => isStopped };
  try {
    const result = await runExport(app, target, pace, (progress) => terminal.progress?.(`\r\x1b[K${progress}`));
    await recordOutcome(app, WORK, { last: { at: app.now(), ...result } });
    return { ...result, to: describeTarget(target.export.to) };
  } catch (error) {
    if (isStopped) await releaseClaim(app, WORK);
    else await recordOutcome(app, WORK, { error: { at: app.now(), message: describeProblem(error) } });
    throw error;
  } finally {
    terminal.progress?.('\r\x1b[K');
  }
}

function targetOf({ export: settings, s3, data }: Settings): ExportTarget {
  if (!settings)
    throw new BackupProblem('USHER_EXPORT_TO is not set here: commands need the same settings as the server');
  return { export: settings, s3, data };
}

async function listAll({ storage }: AppContext): Promise<unknown> {
  const files: object[] = [];
  await forEachAccount(storage, async (accountId) => {
    for (const { name, rows_count, bytes, written_at, given_up_at, started_at } of await listFiles(
      { storage },
      accountId,
    ))
      if (given_up_at === null)
        files.push({
          ...{ file: name, rows: Number(rows_count), bytes: Number(bytes), started_at: toTimestamp(started_at) },
          ...{ written_at: toTimestampOrNull(written_at) },
        });
  });
  return files;
}
