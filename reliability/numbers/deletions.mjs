import { setTimeout as pause } from 'node:timers/promises';

/*
 * Experiences with goals, and experiments, that are used and then deleted: nothing of their numbers is left.
 */

/** @type {import('./parts.mjs').Part} */
export const deletions = {
  name: 'deletions',

  async create() {
    return { experiences: [], experiments: [], goals: [] };
  },

  actions({ call, send, pick, load, anyone }, made) {
    return [
      async () => {
        if (pick(8) > 0) return;
        const { goal } = await call('/v3/edit/goals', { name: 'For a while', kind: 'event', event_name: 'paid' });
        const { tour } = await call('/v3/edit/tours', {
          ...{ name: 'For a while', steps: [{ title: 'Hello' }, { title: 'Bye' }] },
          goals: [{ goal_id: goal.id }, { name: 'Left', kind: 'event', event_name: 'left' }],
        });
        const { experiment } = await call('/v3/edit/experiments', {
          ...{ name: 'For a while', goal_ids: [goal.id] },
          variants: [
            { name: 'Nothing', share: 50 },
            { name: 'Tour', experience_id: tour.id, share: 50 },
          ],
        });
        await call(`/v3/edit/experiments/${experiment.id}/start`, {});
        for (let n = 0; n < 3; n++) {
          const { visit } = await load({ uid: anyone() });
          for (const [at, { id }] of tour.steps.entries())
            await send('POST', '/v3/observe/interactions', {
              ...{ visit_token: visit.token, href: 'http://localhost/', experience_id: tour.id, step_id: id },
              ...{ state: at === 0 ? 'started' : 'completed', elapsed: 1000 * (at + 1) },
            });
        }
        await call(`/v3/analyze/tours/${tour.id}/goals`);
        await call(`/v3/edit/experiments/${experiment.id}/end`, {});
        await send('DELETE', `/v3/edit/experiments/${experiment.id}`);
        await send('DELETE', `/v3/edit/tours/${tour.id}`);
        await send('DELETE', `/v3/edit/goals/${goal.id}`);
        made.experiences.push(tour.id);
        made.experiments.push(experiment.id);
        made.goals.push(goal.id);
      },
    ];
  },

  async compareNumbers({ accountId, run }, compare, { experiences, experiments }) {
    const left = async (/** @type {string} */ table, /** @type {string} */ column, /** @type {string[]} */ ids) => {
      const list = ['', ...ids].map((id) => `'${id}'`).join(', ');
      const sql = `select count(*) as n from ${table} where account_id = '${accountId}' and ${column} in (${list})`;
      return Number((await run(sql))[0]?.n);
    };
    const places = [
      ...[
        'interactions',
        'activities',
        'interruption_days',
        'activity_counts',
        'version_counts',
        'step_times',
        'experience_counts',
      ].map((table) => ({ table, column: 'experience_id', ids: experiences })),
      ...['goal_counts', 'goal_count_runs'].map((table) => ({ table, column: 'experience_id', ids: experiences })),
      { table: 'exposures', column: 'experiment_id', ids: experiments },
    ];
    for (const { table, column, ids } of places) {
      // Rows of an Experience are deleted in the background.
      for (let tries = 0; tries < 300 && (await left(table, column, ids)) > 0; tries++) await pause(100);
      await compare(`rows of ${table} that are left of what was deleted`, await left(table, column, ids), 0);
    }
  },
};
