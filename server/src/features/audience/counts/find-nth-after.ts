import type { Context } from '../../../context.ts';

/** The ID of the profile that is this many after another one, in the order of IDs. It reads only the index. */
export async function findNthAfter(
  { heavyDb, account }: Pick<Context, 'heavyDb' | 'account'>,
  after: string,
  count: number,
): Promise<string | undefined> {
  const query = heavyDb
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', account.id)
    .where('id', '>', after)
    .orderBy('id')
    .offset(count - 1)
    .limit(1);
  return (await query.executeTakeFirst())?.id;
}
