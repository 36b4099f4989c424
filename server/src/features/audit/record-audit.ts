import type { AuditAction } from '@usher/domain';
import type { Context } from '../../context.ts';

/** What an entry needs to know of who acts. */
type Recorder = Pick<Context, 'db' | 'clock' | 'actor' | 'isSample'> & { request: { network: string } | undefined };

/** What an action was done to. */
interface Target {
  type: string;
  id: string;
}

/**
 * Adds an entry to the audit log of the account. Call it inside the transaction of the action, so that there is never one
 * without the other, and after its other locks. Details never hold secrets, passwords, or data of end-users.
 */
export async function recordAudit(
  ctx: Recorder,
  action: AuditAction,
  target: Target | null = null,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (ctx.isSample) return;
  const { account_id, id } = (await ctx.clock()).newRow();
  await ctx.db
    .insertInto('audit_entries')
    .values({
      account_id,
      id,
      admin_id: ctx.actor.id || null,
      secret_id: ctx.actor.secret?.id ?? null,
      action,
      target_type: target?.type ?? null,
      target_id: target?.id ?? null,
      details: JSON.stringify(details),
      network: ctx.request?.network ?? null,
    })
    .execute();
}
