import type { AuditEntry } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { loadUsers } from '../persons/load-users.ts';

export interface AuditFilter {
  action?: AuditEntry['action'];
  admin_id?: string;
}

/** The entries of the audit log, filtered by action or administrator if the request says so. */
export async function entriesOf(ctx: Context, { action, admin_id }: AuditFilter) {
  let query = ctx.db.selectFrom('audit_entries').selectAll().where('account_id', '=', ctx.account.id);
  if (action !== undefined) query = query.where('action', '=', action);
  if (admin_id === undefined) return { query };
  if ((await loadUsers(ctx, [admin_id])).size === 0) throw notFound('administrator');
  return { query: query.where('admin_id', '=', admin_id) };
}
