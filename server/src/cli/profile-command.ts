import { emailKey, isId } from '@usher/domain';
import type { AppContext, Context } from '../context.ts';
import { anonymous, createContext } from '../create-context.ts';
import { writePerson } from '../features/audience/profile-export/export-person.ts';
import type { ProfileRow } from '../features/audience/profiles/queries.ts';
import { CommandError, UsageError } from './errors.ts';

/** `usher profile export`: prints everything about a user. */
export async function runProfileExport(
  app: AppContext,
  accountId: string,
  [name, ...more]: readonly string[],
  print: (text: string) => void,
): Promise<void> {
  if (!name || more.length > 0)
    throw new UsageError('give one ID, uid or email: usher profile export 18821 > person.json');
  const ctx = createContext(app, { account: { id: accountId }, actor: anonymous });
  const row = await findByAnyName(ctx, name);
  if (!row) throw new CommandError(`there is no user with the ID, uid or email "${name}" in account ${accountId}`);
  for await (const piece of await writePerson(ctx, row)) print(piece);
}

/** An ID wins over a uid, and a uid over an email. */
async function findByAnyName(ctx: Context, name: string): Promise<ProfileRow | undefined> {
  const profiles = ctx.db.selectFrom('profiles').selectAll().where('account_id', '=', ctx.account.id);
  return (
    (isId(name) ? await profiles.where('id', '=', name).executeTakeFirst() : undefined) ??
    (await profiles.where('uid', '=', name).executeTakeFirst()) ??
    (await profiles.where('email_key', '=', emailKey(name)).executeTakeFirst())
  );
}
