import { isDeleteImport, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { passwordNeeded } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { deleteFailures, type ImportRow } from '../import-files/import-rows.ts';
import { checkStart, findTag } from './check-import.ts';

/** What an import has done before it starts: nothing. */
export const beforeStart = {
  piece: 0,
  record: 0,
  after_id: '',
  last_id: null,
  last_row: 0,
  created_count: 0,
  updated_count: 0,
  deleted_count: 0,
  ignored_count: 0,
  failed_count: 0,
  error: null,
  elapsed_ms: null,
  tries: 0,
};

/** Starts a stored import, in the transaction that has locked it: a worker runs it at its time. */
export async function startImport(
  ctx: Context,
  row: ImportRow,
  importAt: Millis,
  isDryRun = false,
): Promise<ImportRow> {
  checkStart(row);
  if (isDeleteImport(row.kind) && !isDryRun) requirePassword(ctx);
  const resumes = row.state === 'error' && isDryRun === row.is_dry_run;
  const started = {
    ...(resumes ? { tries: 0, error: null } : { ...beforeStart, tag: await findTag(ctx, row) }),
    import_at: importAt,
    dry_run: isDryRun,
    is_dry_run: isDryRun,
    state: null,
    ran_at: null,
    admin_id: ctx.actor.id || null,
    claim: null,
    claimed_at: null,
  };
  if (!resumes) await deleteFailures(ctx, row.id);
  await ctx.db
    .updateTable('imports')
    .set(started)
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', row.id)
    .execute();
  await ctx.db
    .insertInto('import_queue')
    .values({ account_id: ctx.account.id, import_id: row.id, due_at: importAt })
    .onConflict((queued) => queued.columns(['account_id', 'import_id']).doUpdateSet({ due_at: importAt }))
    .execute();
  const { kind, model_kind } = row;
  await recordAudit(ctx, 'import.start', { type: 'import', id: row.id }, { kind, model_kind, dry_run: isDryRun });
  return { ...row, ...started };
}

/** Forgetting one user needs the password of the last minutes, and so does deleting many. */
function requirePassword({ actor, now }: Context): void {
  if (actor.session && actor.session.confirmedUntil <= now()) throw passwordNeeded();
}
