import { expandParameter, Id, OrderedCursor, OutputObject, orderedPageParameters, Response } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../http/route.ts';
import { deleteResponse } from './delete-response.ts';
import { listResponses } from './list-responses.ts';

export const responseRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/responses',
    summary: 'List what users answered to a survey',
    permission: 'read',
    parameters: Type.Object({
      id: Type.Unsafe<string>({ ...Id, description: 'the ID of a survey' }),
      ...orderedPageParameters,
      expand: expandParameter({ profile: 'min', company: 'min' }),
    }),
    example: { id: '5fb70dcbc39330000325a817' },
    output: OutputObject({ responses: Type.Array(Response), cursor: OrderedCursor }),
    run: listResponses,
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/responses/:id',
    summary: 'Delete what a user answered to a survey',
    output: OutputObject({ response: Response }),
    run: async (ctx, { id }) => ({ response: await deleteResponse(ctx, id) }),
  }),
];
