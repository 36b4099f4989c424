import { dayOf } from '@usher/domain';
import type { CreatedAccount } from '../src/features/team/accounts/create-account.ts';
import type { Api } from './api.ts';
import { makeLiveTour, makeSeenProfile } from './delivery-path.ts';
import { addActivity, addInteraction } from './use-rows.ts';

/** Stores that a new user has started a new tour today, and returns the path parameters of the tour. */
export async function makeStartedTour(api: Api, as: CreatedAccount): Promise<{ kind: string; id: string }> {
  const id = await makeLiveTour(api, as);
  const of = { account_id: as.account_id, experience_id: id, profile_id: await makeSeenProfile(api, as) };
  await addInteraction(api.app, of);
  await addActivity(api.app, of, dayOf(api.app.now()), 'started');
  return { kind: 'tours', id };
}

/** Creates a tour with a shared goal. */
export async function makeTourWithGoal(
  api: Api,
  as: CreatedAccount,
): Promise<{ id: string; goal_id: string; id_in_tour: string }> {
  const params = { name: 'Paid', kind: 'event', event_name: 'Paid' };
  const goal_id = (await api.post('/v3/edit/goals', params, { as })).body.goal.id;
  const { tour } = (await api.post('/v3/edit/tours', { name: 'Tour', goals: [{ goal_id }] }, { as })).body;
  return { id: tour.id, goal_id, id_in_tour: tour.goals[0].id };
}

/** Creates an experiment with a live tour, and takes it through some steps of its life. */
export async function makeExperiment(api: Api, as: CreatedAccount, ...actions: ('start' | 'end')[]) {
  const variants = [
    { name: 'Nothing', share: 50 },
    { name: 'Tour', experience_id: await makeLiveTour(api, as), share: 50 },
  ];
  const made = (await api.post('/v3/edit/experiments', { name: 'Does it help?', variants }, { as })).body.experiment;
  for (const action of actions) await api.post(`/v3/edit/experiments/${made.id}/${action}`, {}, { as });
  return made as { id: string; variants: [{ id: string }, { id: string }] };
}
