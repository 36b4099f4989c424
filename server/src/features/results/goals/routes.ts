import { GetStats, GoalPeople, GoalResults, ListGoalPeople, OutputObject } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { readKind } from '../../experiences/kind.ts';
import { listGoalPeople } from './list-goal-people.ts';
import { showGoalResults } from './show-goal-results.ts';

const { from, until } = GetStats.properties;

export const goalResultRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/goals',
    summary: 'Count who met the goals of an Experience, of the people who first saw it in a range of days',
    description:
      'Test users are left out. Counts of many people are made in the background: `counted_at` says when, and `counting` how far the next count is. Segments and properties are the ones of that time. Single events are kept since `events_since`.',
    operation: 'get{Kind}Goals',
    parameters: Type.Object({ from, until }),
    output: OutputObject({ results: GoalResults }),
    run: async (ctx, { kind, id, ...params }) => ({ results: await showGoalResults(ctx, readKind(kind), id, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/goals/people',
    showsPeople: true,
    summary: 'List who first saw an Experience in a range of days, or who of them met a goal',
    description:
      '`goal_id` is the `id` of one of the `goals` of the Experience. The last one is the first in the list.',
    operation: 'list{Kind}GoalPeople',
    parameters: ListGoalPeople,
    output: GoalPeople,
    run: (ctx, { kind, id, ...params }) => listGoalPeople(ctx, readKind(kind), id, params),
  }),
];
