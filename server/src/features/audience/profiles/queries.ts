import { emailKey, type FindProfile } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { invalid, notFound } from '../../../errors.ts';

export type ProfileRow = Selectable<Schema['profiles']>;

/** Finds a profile by `id`, `uid` or `email`. If there are several of them, they must belong to the same profile. */
export async function getProfile(ctx: Context, { id, uid, email }: FindProfile, lock = false): Promise<ProfileRow> {
  const key = email === undefined ? undefined : emailKey(email);
  let query = ctx.db.selectFrom('profiles').selectAll().where('account_id', '=', ctx.account.id);
  if (id !== undefined) query = query.where('id', '=', id);
  else if (uid !== undefined) query = query.where('uid', '=', uid);
  else if (key !== undefined) query = query.where('email_key', '=', key);
  else throw invalid('Give the `id`, the `uid` or the `email` of the profile');
  const row = await (lock ? ctx.dialect.lockRows(query) : query).executeTakeFirst();
  if (!row) throw notFound('profile');
  if ((uid !== undefined && row.uid !== uid) || (key !== undefined && row.email_key !== key))
    throw invalid('`id`, `uid` and `email` are not of one profile: give one of them');
  return row;
}
