import { type SqlBool, sql } from 'kysely';
import type { Context } from '../../../context.ts';

/** Counts the users that are switched off, by an index that has only them. */
export async function countDisabled(
  { heavyDb, account, dialect }: Context,
  { isWithoutTestUsers }: { isWithoutTestUsers: boolean },
): Promise<number> {
  const isDisabled =
    dialect.engine === 'sqlite'
      ? // This is the condition of the index.
        sql<SqlBool>`json_type(profiles.custom, '$."disabled"') = 'true'`
      : dialect.json.equals(sql.ref('profiles.custom'), ['disabled'], true);
  const disabled = heavyDb.selectFrom('profiles').where('profiles.account_id', '=', account.id).where(isDisabled);
  const { count } = await (isWithoutTestUsers ? disabled.where(sql<SqlBool>`not profiles.is_test`) : disabled)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
