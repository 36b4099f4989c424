import {
  expandParameter,
  Id,
  ListProblems,
  OneOf,
  OrderedCursor,
  OutputObject,
  orderedPageParameters,
  Response,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { deleteResponse } from './delete-response.ts';
import { exportResponses } from './export-responses.ts';
import { listResponses } from './list-responses.ts';

const id = Type.Unsafe<string>({ ...Id, description: 'the ID of a survey' });

export const responseRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/responses',
    showsPeople: true,
    summary: 'List what users answered to a survey',
    description: '`id` is the survey. There is one Response for each user and showing.',
    permission: 'read',
    parameters: Type.Object({
      id,
      ...orderedPageParameters,
      expand: expandParameter({ profile: 'min', company: 'min' }),
    }),
    example: { id: '5fb70dcbc39330000325a817' },
    output: OutputObject({ responses: Type.Array(Response), cursor: OrderedCursor }),
    run: listResponses,
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/responses.:format',
    showsPeople: true,
    summary: 'Download what users answered to a survey as CSV',
    operation: 'downloadResponses',
    parameters: Type.Object({ id, ...ListProblems.properties, format: OneOf(['csv']) }),
    example: { id: '5fb70dcbc39330000325a817' },
    output: Type.Unknown(),
    mediaTypes: ['text/csv'],
    run: (ctx, { format: _, ...params }) => exportResponses(ctx, params),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/responses/:id',
    summary: 'Delete what a user answered to a survey',
    output: OutputObject({ response: Response }),
    run: async (ctx, { id }) => ({ response: await deleteResponse(ctx, id) }),
  }),
];
