import type { CreatedAccount } from '../src/features/accounts/create-account.ts';
import type { Api } from './api.ts';
import { makeLiveTour, makeSeenProfile } from './delivery-path.ts';
import { addInteraction, addResponse } from './use-rows.ts';

/** Has an account make what users can answer. */
export async function makeSurvey(api: Api, as: CreatedAccount): Promise<string> {
  const steps = [{ title: 'Would you recommend it?', preset: 'survey_nps' }];
  return (await api.post('/v3/edit/surveys', { name: 'Asks', steps }, { as })).body.survey.id;
}

/** Has a user of an account do something with a tour. */
export async function makeInteraction(api: Api, as: CreatedAccount): Promise<string> {
  const of = { experience_id: await makeLiveTour(api, as), profile_id: await makeSeenProfile(api, as) };
  return addInteraction(api.app, { account_id: as.account_id, ...of });
}

/** Has a user of an account answer a survey. */
export async function makeResponse(api: Api, as: CreatedAccount): Promise<string> {
  const of = { experience_id: await makeSurvey(api, as), profile_id: await makeSeenProfile(api, as) };
  return addResponse(api.app, { account_id: as.account_id, ...of }, { value: '10' });
}

/** Has an account tell a webhook something. Answers both as the parameters of its path. */
export async function makeItem(api: Api, as: CreatedAccount): Promise<{ id: string; item_id: string }> {
  const params = { url: 'https://example.com/told', topics: ['ping'] };
  const { id } = (await api.post('/v3/edit/webhooks', params, { as })).body.webhook;
  return { id, item_id: (await api.post(`/v3/edit/webhooks/${id}/ping`, {}, { as })).body.item.id };
}
