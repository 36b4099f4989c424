import type { CreatedAccount } from '../src/features/team/accounts/create-account.ts';
import type { Api } from './api.ts';

let count = 0;

/** Creates a published tour, which a Delivery can deliver. */
export async function makeLiveTour(api: Api, as: CreatedAccount): Promise<string> {
  const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
  const params = { name: 'Live', steps, published_at: '$now' };
  return (await api.post('/v3/edit/tours', params, { as })).body.tour.id;
}

/** Creates a profile that has loaded a page, to which a Delivery can go. */
export async function makeSeenProfile(api: Api, as: CreatedAccount): Promise<string> {
  const { account_id } = as;
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: `seen ${++count}` }, { as });
  const { id } = body.profile;
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('profiles')
      .set({ last_seen_at: 1000 })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute(),
  );
  return id;
}

/** Creates a pending Delivery of a new tour to a new profile. */
export async function makeDelivery(
  api: Api,
  as: CreatedAccount,
): Promise<{ id: string; model_id: string; profile_id: string }> {
  const params = { model_id: await makeLiveTour(api, as), profile_id: await makeSeenProfile(api, as) };
  const { body } = await api.post('/v3/edit/deliveries', { model_kind: 'tour', ...params }, { as });
  return { id: body.delivery.id, ...params };
}
