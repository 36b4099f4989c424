import { CreatedPick, CreatePick, OutputObject, PickOutput, StepSketch } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { readKind } from '../kind.ts';
import { createPick } from './create-pick.ts';
import { endPick } from './end-pick.ts';
import { keepSketch } from './keep-sketch.ts';
import { listSketches } from './list-sketches.ts';
import { presentPick } from './present-pick.ts';
import { getPick } from './queries.ts';
import { watchPick } from './watch-pick.ts';

const OnePick = OutputObject({ pick: PickOutput });

export const pickRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/picks',
    summary: 'Make a pick: an address that lets one page pick an element for a step, try a draft, or take a theme',
    parameters: CreatePick,
    example: {
      purpose: 'pick',
      experience_id: '5fb70dcbc39330000325a818',
      href: 'https://app.example.com/dashboard',
    },
    status: 201,
    output: OutputObject({ pick: CreatedPick }),
    showsSecret: true,
    run: async (ctx, params) => ({ pick: await createPick(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/picks/:id',
    summary: 'Show a pick of your own, and what was picked or taken',
    permission: 'edit',
    output: OnePick,
    run: async (ctx, { id }) => ({ pick: presentPick(ctx, await getPick(ctx, id)) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/picks/:id/events',
    summary: 'Watch a pick of your own: a stream of server-sent events, one now and one after each change',
    operation: 'watchPick',
    permission: 'edit',
    output: Type.Unknown(),
    mediaTypes: ['text/event-stream'],
    run: (ctx, { id }) => watchPick(ctx, id),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/picks/:id/sketch',
    summary: 'Keep the sketch of the page of a pick of your own, for the preview of its step',
    operation: 'keepPickSketch',
    output: OutputObject({ sketch: StepSketch }),
    run: async (ctx, { id }) => ({ sketch: await keepSketch(ctx, id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/sketches',
    summary: 'List the sketches of the pages on which elements of steps were picked',
    output: OutputObject({ sketches: Type.Array(StepSketch) }),
    run: async (ctx, { kind, id }) => ({ sketches: await listSketches(ctx, readKind(kind), id) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/picks/:id',
    summary: 'End a pick of your own',
    operation: 'endPick',
    output: OnePick,
    run: async (ctx, { id }) => ({ pick: presentPick(ctx, await endPick(ctx, await getPick(ctx, id))) }),
  }),
];
