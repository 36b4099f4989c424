import type { Session } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { checkPassword } from '../persons/check-password.ts';
import { getPerson } from '../persons/queries.ts';
import { presentSession } from './present-session.ts';
import { sessionOf } from './queries.ts';

/** Accepts the password again, for what needs it within the next minutes. */
export async function confirmPassword(ctx: Context, password: string): Promise<Session> {
  const { id, personId } = sessionOf(ctx);
  const { email } = await getPerson(ctx.db, personId);
  await checkPassword(ctx.app, ctx.request?.network ?? '', email, password);
  const row = await ctx.transaction((ctx) =>
    ctx.db
      .updateTable('sessions')
      .set({ confirmed_at: ctx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return presentSession(row, ctx.now(), id);
}
