import { toTimestamp } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { ApiError, conflict } from '../../../errors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findPerson, listMemberships, lockPerson } from '../persons/queries.ts';
import { insertLink, linkUrl } from './queries.ts';

/**
 * From the command line: creates a link by which a person chooses a password. It is shown here and never again. The
 * audit log of the person's oldest account records it, because anybody with the link can act as that person. Emails are
 * not verified, so the operator also sees the accounts of the person before the link is sent to anybody.
 */
export async function createResetLink(
  app: AppContext,
  email: string,
): Promise<{ email: string; their_accounts: string[]; url: string; expires_at: string }> {
  const db = app.storage.reader(null);
  const person = await findPerson(db, email);
  if (!person) throw new ApiError(404, [`Nobody has the email ${email}: \`usher admin list\` shows who there is`]);
  const memberships = await listMemberships(db, person.id);
  const [membership] = memberships;
  if (!membership)
    throw new ApiError(409, [
      `${email} is in no account any more: \`usher admin create\` prints an invitation, with which they choose a new password`,
    ]);
  const ctx = createContext(app, { account: { id: membership.id }, actor: { id: '', role: 'owner' } });
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    await lockPerson(ctx, person.id);
    const isMember = (await listMemberships(ctx.db, person.id)).some(({ id }) => id === ctx.account.id);
    if (!isMember) throw conflict(`${email} was removed from ${membership.name} a moment ago: try again`);
    const { row, token } = await insertLink(app, ctx.db, { kind: 'reset', person_id: person.id });
    await recordAudit(ctx, 'person.create_reset_link', { type: 'admin', id: membership.admin_id });
    const url = linkUrl(app.publicUrl, 'reset', token);
    const their_accounts = memberships.map(({ name }) => name);
    return { email: person.email, their_accounts, url, expires_at: toTimestamp(row.expires_at) };
  });
}
