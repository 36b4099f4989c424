import { type AuditAction, keysOf } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { writeInChunks } from '../../experiences/changes/record-changes.ts';

/** The parts of a context that an entry needs, such as who acts. */
type Recorder = Pick<Context, 'db' | 'clock' | 'actor' | 'skipsAudit'> & { request: { network: string } | undefined };

/** What an action was done to. */
interface Target {
  type: string;
  id: string;
}

export interface AuditEntry {
  action: AuditAction;
  target: Target | null;
  details: Record<string, unknown>;
}

/**
 * Adds an entry to the audit log of the account. Call it inside the transaction of the action, so that no action is
 * without its entry, and after the transaction has taken its other locks. Details never hold secrets, passwords, or
 * data of end-users.
 */
export async function recordAudit(
  ctx: Recorder,
  action: AuditAction,
  target: Target | null = null,
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAudits(ctx, [{ action, target, details }]);
}

/** Adds an entry for each of several things that were changed together. */
export async function recordAudits(ctx: Recorder, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0 || ctx.skipsAudit) return;
  const clock = await ctx.clock();
  const rows = entries.map(({ action, target, details }) => {
    const { account_id, id } = clock.newRow();
    return {
      account_id,
      id,
      admin_id: ctx.actor.id || null,
      secret_id: ctx.actor.secret?.id ?? null,
      action,
      target_type: target?.type ?? null,
      target_id: target?.id ?? null,
      details: JSON.stringify(details),
      network: ctx.request?.network ?? null,
    };
  });
  await writeInChunks(rows, (chunk) => ctx.db.insertInto('audit_entries').values(chunk).execute());
}

/** The fields that a change sets to another value, each as the old and the new value. */
export function diffOf<Row extends object>(before: Row, wanted: Partial<Row>): Record<string, unknown> {
  const keys = keysOf<keyof Row & string>(wanted);
  return Object.fromEntries(
    keys.filter((key) => before[key] !== wanted[key]).map((key) => [key, [before[key], wanted[key]]]),
  );
}
