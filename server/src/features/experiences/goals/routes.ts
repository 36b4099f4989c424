import { CreateGoal, GoalUses, OutputObject, SharedGoal, UpdateGoal } from '@usher/domain';
import { listRoute } from '../../../http/list-route.ts';
import { route } from '../../../http/route.ts';
import { experiencesUsing } from '../experiences-using.ts';
import { getGoal, goalsOf } from '../shared-goals.ts';
import { createGoal } from './create-goal.ts';
import { deleteGoal } from './delete-goal.ts';
import { presentGoal } from './present-goal.ts';
import { updateGoal } from './update-goal.ts';

const OneGoal = OutputObject({ goal: SharedGoal });

export const goalRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/goals',
    summary: 'Create a goal that Experiences share',
    description:
      'A goal is an `event`, a `segment`, properties of the user (`property`), or a state of an `experience`. An Experience has it by `goals: [{goal_id}]`.',
    parameters: CreateGoal,
    example: { name: 'Paid', kind: 'event', event_name: 'Paid', sum_property: 'amount', within_days: 14 },
    inFiles: true,
    // It may name a Segment or an Experience.
    errors: [404],
    status: 201,
    output: OneGoal,
    run: async (ctx, params) => ({ goal: await createGoal(ctx, params) }),
  }),
  listRoute({
    path: '/v3/edit/goals',
    summary: 'List shared goals',
    name: 'goals',
    item: SharedGoal,
    query: goalsOf,
    present: (row, ctx) => presentGoal(ctx, row),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/goals/:id',
    summary: 'Show a shared goal',
    output: OneGoal,
    run: async (ctx, { id }) => ({ goal: presentGoal(ctx, await getGoal(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/goals/:id',
    summary: 'Change a shared goal, or archive it',
    description: 'The change is about the past too: results count again.',
    parameters: UpdateGoal,
    example: { within_days: 7 },
    errors: [404, 409],
    output: OneGoal,
    run: async (ctx, { id, ...params }) => ({ goal: await updateGoal(ctx, id, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/goals/:id',
    summary: 'Delete a shared goal that nothing uses',
    description: '409 while an Experience has it: the message says which.',
    errors: [409],
    output: OneGoal,
    run: async (ctx, { id }) => ({ goal: await deleteGoal(ctx, id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/goals/:id/uses',
    summary: 'List the Experiences with a shared goal in their draft',
    output: OutputObject({ uses: GoalUses }),
    run: async (ctx, { id }) => {
      await getGoal(ctx, id);
      const rows = await experiencesUsing(ctx, id).orderBy('id').limit(MAX_USES).execute();
      return { uses: { experiences: rows.map(({ id, kind, draft }) => ({ id, kind, name: draft.name })) } };
    },
  }),
];

const MAX_USES = 500;
