import { CreatedPick, CreatePick, OutputObject, PickOutput } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { createPick } from './create-pick.ts';
import { endPick } from './end-pick.ts';
import { presentPick } from './present-pick.ts';
import { getPick } from './queries.ts';
import { watchPick } from './watch-pick.ts';

const OnePick = OutputObject({ pick: PickOutput });

export const pickRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/picks',
    summary: 'Make a pick: an address that lets one page pick an element for a step, or try a draft',
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
    summary: 'Show a pick of your own, and what was picked',
    permission: 'edit',
    output: OnePick,
    run: async (ctx, { id }) => ({ pick: presentPick(ctx, await getPick(ctx, id)) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/picks/:id/events',
    summary: 'Watch a pick of your own: a stream of server-sent events, one now and one after each change',
    permission: 'edit',
    output: Type.Unknown(),
    run: (ctx, { id }) => watchPick(ctx, id),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/picks/:id',
    summary: 'End a pick of your own',
    output: OnePick,
    run: async (ctx, { id }) => ({ pick: presentPick(ctx, await endPick(ctx, await getPick(ctx, id))) }),
  }),
];
