import {
  CreateExperiment,
  Cursor,
  experimentStates,
  OneOf,
  OutputObject,
  PublishWinner,
  pageParameters,
  ShownExperiment,
  UpdateExperiment,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { getExperiment } from '../experiment-records/queries.ts';
import { createExperiment } from './create-experiment.ts';
import { deleteExperiment } from './delete-experiment.ts';
import { endExperiment } from './end-experiment.ts';
import { listExperiments } from './list-experiments.ts';
import { presentExperiment } from './present-experiment.ts';
import { startExperiment } from './start-experiment.ts';
import { undoEnd } from './undo-end.ts';
import { updateExperiment } from './update-experiment.ts';

const OneExperiment = OutputObject({ experiment: ShownExperiment });
const unknownId = '0'.repeat(24);

export const experimentRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/experiments',
    summary: 'Create an experiment, which compares Experiences with each other, or with nothing',
    description:
      'It is a draft, and changes nothing for users until it is started. Users are divided by the shares of its variants. A variant without an Experience is the control.',
    parameters: CreateExperiment,
    example: {
      name: 'Does the tour help?',
      variants: [
        { name: 'Nothing', share: 50 },
        { name: 'Tour', experience_id: unknownId, share: 50 },
      ],
    },
    inFiles: true,
    status: 201,
    output: OneExperiment,
    run: async (ctx, params) => ({ experiment: await createExperiment(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/experiments',
    summary: 'List experiments',
    parameters: Type.Object({ ...pageParameters, state: Type.Optional(OneOf(experimentStates)) }),
    output: OutputObject({ experiments: Type.Array(ShownExperiment), cursor: Cursor }),
    run: listExperiments,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/experiments/:id',
    summary: 'Show an experiment',
    output: OneExperiment,
    run: async (ctx, { id }) => ({ experiment: await presentExperiment(ctx, await getExperiment(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/experiments/:id',
    summary: 'Change an experiment',
    description:
      'While it runs, its Experiences and Segments stay. A user who is a part of it stays in their arm, also when the shares change.',
    parameters: UpdateExperiment,
    example: { name: 'Does the short tour help?' },
    errors: [409],
    output: OneExperiment,
    run: async (ctx, { id, ...params }) => ({ experiment: await updateExperiment(ctx, id, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/experiments/:id',
    summary: 'Delete an experiment that does not run, and who was a part of it',
    errors: [409],
    output: OneExperiment,
    run: async (ctx, { id }) => ({ experiment: await deleteExperiment(ctx, id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/experiments/:id/start',
    summary: 'Start an experiment, and publish the drafts among its Experiences',
    permission: 'publish',
    errors: [409],
    output: OneExperiment,
    run: async (ctx, { id }) => ({ experiment: await startExperiment(ctx, id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/experiments/:id/end',
    summary: 'End an experiment without a winner, and pause its Experiences',
    permission: 'publish',
    errors: [409],
    output: OneExperiment,
    run: async (ctx, { id }) => ({ experiment: await endExperiment(ctx, id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/experiments/:id/publish_winner',
    summary: 'End an experiment, and show one variant to everybody that it was for',
    description: 'The Experiences of the other variants are paused. `undo` lets the experiment run again.',
    permission: 'publish',
    parameters: PublishWinner,
    example: { variant_id: unknownId },
    errors: [409],
    output: OneExperiment,
    run: async (ctx, { id, variant_id }) => ({ experiment: await endExperiment(ctx, id, variant_id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/experiments/:id/undo',
    summary: 'Undo the end of an experiment: it runs again, and everybody sees what they saw before',
    permission: 'publish',
    errors: [409],
    output: OneExperiment,
    run: async (ctx, { id }) => ({ experiment: await undoEnd(ctx, id) }),
  }),
];
