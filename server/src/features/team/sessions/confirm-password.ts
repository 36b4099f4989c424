import type { Session } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ResponseWithStatus } from '../../../http/route.ts';
import { checkPassword } from '../persons/check-password.ts';
import { getPerson } from '../persons/queries.ts';
import { presentSession } from './present-session.ts';
import { sessionOf } from './queries.ts';
import { rotateSession } from './rotate-session.ts';

/**
 * Accepts the password again, for the dangerous changes of the next minutes. The session gets a new token, because
 * somebody who has copied the old cookie has not given the password.
 */
export async function confirmPassword(
  ctx: Context,
  password: string,
): Promise<ResponseWithStatus<{ session: Session }>> {
  const { id } = sessionOf(ctx);
  await checkOwnPassword(ctx, password);
  return ctx.transaction(async (ctx) => {
    const headers = await rotateSession(ctx, { confirmed_at: ctx.now() });
    const row = await ctx.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return new ResponseWithStatus(200, { session: presentSession(row, ctx.now(), id) }, headers);
  });
}

export async function checkOwnPassword(ctx: Context, password: string): Promise<void> {
  const { email } = await getPerson(ctx.db, sessionOf(ctx).personId);
  await checkPassword(ctx.app, ctx.request?.network ?? '', email, password);
}
