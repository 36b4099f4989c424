import {
  expandParameter,
  Id,
  ListProblems,
  OrderedCursor,
  OutputObject,
  orderedPageParameters,
  Problem,
  TourInteraction,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { readKind } from '../../experiences/kind.ts';
import { listInteractions } from './list-interactions.ts';
import { listProblems } from './list-problems.ts';
import { showInteraction } from './show-interaction.ts';

const expand = expandParameter({ profile: 'min', company: 'min' });

export const analyzeInteractionRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/interactions',
    showsPeople: true,
    summary: 'List what users did with an Experience: how far each of them got',
    description:
      '`id` is the Experience. There is one Interaction for each user. With `order=updated_at`, the last changed come first, and pages stay exact while users go on.',
    permission: 'read',
    parameters: Type.Object({
      id: Type.Unsafe<string>({ ...Id, description: 'the ID of a tour, or of an Experience of another kind' }),
      ...orderedPageParameters,
      expand,
    }),
    example: { id: '5fb70dcbc39330000325a818', order: 'updated_at', expand: { profile: 'all', company: 'skip' } },
    output: OutputObject({ interactions: Type.Array(TourInteraction), cursor: OrderedCursor }),
    run: listInteractions,
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/interactions/:id',
    showsPeople: true,
    summary: 'Show what one user did with an Experience',
    parameters: Type.Object({ expand }),
    output: OutputObject({ interaction: TourInteraction }),
    run: async (ctx, { id, expand }) => ({ interaction: await showInteraction(ctx, id, expand) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/problems',
    summary: 'List what users did not get to see because an element of the page was not found, and where',
    parameters: ListProblems,
    output: OutputObject({ problems: Type.Array(Problem) }),
    run: async (ctx, { kind, id, ...days }) => ({ problems: await listProblems(ctx, readKind(kind), id, days) }),
  }),
];
