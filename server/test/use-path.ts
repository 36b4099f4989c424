import type { CreatedAccount } from '../src/features/team/accounts/create-account.ts';
import type { Api } from './api.ts';
import { makeLiveTour, makeSeenProfile } from './delivery-path.ts';
import { addInteraction, addResponse } from './use-rows.ts';

/** Creates a survey. */
export async function makeSurvey(api: Api, as: CreatedAccount): Promise<string> {
  const steps = [{ title: 'Would you recommend it?', preset: 'survey_nps' }];
  return (await api.post('/v3/edit/surveys', { name: 'Survey', steps }, { as })).body.survey.id;
}

/** Creates a survey with a public page. */
export async function makePublicSurvey(api: Api, as: CreatedAccount): Promise<string> {
  const id = await makeSurvey(api, as);
  await api.patch(`/v3/edit/surveys/${id}`, { public_page: true, published_at: '$now' }, { as });
  return id;
}

/** Stores that a step of a new survey was imported without its element. */
export async function makeUnplacedStep(api: Api, as: CreatedAccount): Promise<string> {
  const experience_id = await makeSurvey(api, as);
  const { survey } = (await api.get(`/v3/edit/surveys/${experience_id}`, { as })).body;
  const [{ id: step_id }] = survey.steps;
  await api.app.storage.write(as.account_id, (db) =>
    db.insertInto('unplaced_steps').values({ account_id: as.account_id, experience_id, step_id }).execute(),
  );
  return step_id;
}

/** Stores that a new user has started a new tour. */
export async function makeInteraction(api: Api, as: CreatedAccount): Promise<string> {
  const of = { experience_id: await makeLiveTour(api, as), profile_id: await makeSeenProfile(api, as) };
  return addInteraction(api.app, { account_id: as.account_id, ...of });
}

/** Stores the response of a new user to a new survey. */
export async function makeResponse(api: Api, as: CreatedAccount): Promise<string> {
  const of = { experience_id: await makeSurvey(api, as), profile_id: await makeSeenProfile(api, as) };
  return addResponse(api.app, { account_id: as.account_id, ...of }, { value: '10' });
}

/** Creates a webhook and an item for it, and returns both IDs as path parameters. */
export async function makeItem(api: Api, as: CreatedAccount): Promise<{ id: string; item_id: string }> {
  const params = { url: 'https://example.com/hooks', topics: ['ping'] };
  const { id } = (await api.post('/v3/edit/webhooks', params, { as })).body.webhook;
  return { id, item_id: (await api.post(`/v3/edit/webhooks/${id}/ping`, {}, { as })).body.item.id };
}

/** Creates a webhook with an attempt, as if its ping had been sent. */
export async function makeAttempt(api: Api, as: CreatedAccount): Promise<{ id: string; attempt_id: string }> {
  const { id, item_id } = await makeItem(api, as);
  const attempt_id = api.app.newId();
  const row = { account_id: as.account_id, id: attempt_id, webhook_id: id, item_id, kind: 'ping' as const };
  await api.app.storage.write(as.account_id, (db) =>
    db
      .insertInto('webhook_attempts')
      .values({ ...row, at: api.app.now(), ms: 12, status: 200 })
      .execute(),
  );
  return { id, attempt_id };
}
