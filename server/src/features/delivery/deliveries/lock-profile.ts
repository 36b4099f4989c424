import { type DeliveryTarget, emailKey } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';
import { type Publication, publicationColumns } from '../../../published/publication.ts';
import type { ProfileRow } from '../../audience/profiles/queries.ts';
import type { DeliveryRow } from './queries.ts';

type LockedProfile = Pick<ProfileRow, 'id' | 'last_seen_at' | 'delivery_ids'>;

const profileBy = (column: 'id' | 'uid' | 'email_key') =>
  new PreparedStatement<LockedProfile, 'value'>(
    ({ onPostgres }) => `
      select id, last_seen_at, delivery_ids from profiles
      where account_id = :account and ${column} = :value
      ${onPostgres('for update nowait')}`,
  );

/** Selects the Experience too, which takes one statement instead of two. */
const profileAndModelBy = (column: 'id' | 'uid' | 'email_key') =>
  new PreparedStatement<LockedProfile & Publication, 'value' | 'model_id' | 'model_kind'>(
    ({ onPostgres }) => `
      select person.id, person.last_seen_at, person.delivery_ids, ${publicationColumns.join(', ')}
      from profiles as person inner join experiences as model on model.account_id = :account
      where person.account_id = :account and person.${column} = :value
      and model.id = :model_id and model.kind = :model_kind
      ${onPostgres('for update of person nowait for key share of model nowait')}`,
  );

const statementsBy = {
  id: { profile: profileBy('id'), both: profileAndModelBy('id') },
  uid: { profile: profileBy('uid'), both: profileAndModelBy('uid') },
  email: { profile: profileBy('email_key'), both: profileAndModelBy('email_key') },
};

/**
 * Locks the profile of a Delivery, and keeps the Experience as `checkModel` does. If another transaction has locked one
 * of them, this fails immediately.
 */
export async function lockProfile(
  ctx: Context,
  target: DeliveryTarget,
  model: Pick<DeliveryRow, 'model_id' | 'model_kind'>,
): Promise<{ profile: LockedProfile; model: Publication | undefined }> {
  const { model_id, model_kind } = model;
  const [column, value] = lookupOf(target);
  const both = await ctx.find(statementsBy[column].both, { value, model_id, model_kind });
  if (both) return { profile: both, model: both };
  const profile = await ctx.find(statementsBy[column].profile, { value });
  if (!profile) throw notFound('profile');
  return { profile, model: undefined };
}

function lookupOf(target: DeliveryTarget): [keyof typeof statementsBy, string] {
  if ('id' in target) return ['id', target.id];
  return 'uid' in target ? ['uid', target.uid] : ['email', emailKey(target.email)];
}
