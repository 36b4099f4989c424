import { Id, Move, MoveProblem, Nullable, OutputObject, StartMove, UnplacedStep } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { findMove } from './queries.ts';
import { releaseMove } from './release-move.ts';
import { runInBackground } from './run-in-background.ts';
import { listProblems, presentMove } from './show-move.ts';
import { stopMove } from './stop-move.ts';
import { dismissStep, listUnplacedSteps } from './unplaced-steps.ts';

const OneMove = OutputObject({ move: Move });

export const moveRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/move',
    summary: 'Show how far the move from another service is; null if there is none; for owners',
    permission: 'own',
    output: OutputObject({ move: Nullable(Move) }),
    run: async (ctx) => {
      const move = await findMove(ctx);
      return { move: move ? await presentMove(ctx, move) : null };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/move',
    summary: 'Import everything from another v3 service, or continue; for owners',
    operation: 'startMove',
    permission: 'own',
    forSession: true,
    parameters: StartMove,
    example: { source: 'https://api.example.com', secret: 'the secret of the other service' },
    status: 202,
    errors: [409],
    output: OneMove,
    run: async (ctx, params) => ({ move: await runInBackground(ctx, params) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/move/stop',
    summary: 'Stop the import, which can be continued; for owners',
    permission: 'own',
    forSession: true,
    runsOnFullDisk: true,
    errors: [404],
    output: OneMove,
    run: async (ctx) => ({ move: await stopMove(ctx) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/move/release',
    summary: 'Let the imported webhooks send, when pages have this script; for owners',
    operation: 'releaseMovedWebhooks',
    permission: 'own',
    forSession: true,
    errors: [404, 409],
    output: OneMove,
    run: async (ctx) => ({ move: await releaseMove(ctx) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/move/problems',
    summary: 'List what could not be imported as it is, and why; for owners',
    permission: 'own',
    output: OutputObject({ problems: Type.Array(MoveProblem) }),
    run: async (ctx) => ({ problems: await listProblems(ctx) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/move/steps',
    summary: 'List imported steps that need a place, because the other service gave only their texts',
    output: OutputObject({ steps: Type.Array(UnplacedStep) }),
    run: async (ctx) => ({ steps: await listUnplacedSteps(ctx) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/move/steps/:id',
    summary: 'Take a step off that list which needs no element',
    operation: 'dismissMoveStep',
    parameters: Type.Object({ id: Id }),
    output: OutputObject({ step: UnplacedStep }),
    run: async (ctx, { id }) => ({ step: await dismissStep(ctx, id) }),
  }),
];
