import {
  expandParameter,
  Id,
  OneOf,
  OrderedCursor,
  OutputObject,
  Response,
  ResponseTag,
  responseDetails,
  responseFilters,
  responsePageParameters,
  UpdateResponses,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { deleteResponse } from './delete-response.ts';
import { exportResponses } from './export-responses.ts';
import { listResponseTags } from './list-response-tags.ts';
import { listResponses } from './list-responses.ts';
import { updateResponses } from './update-responses.ts';

const id = Type.Unsafe<string>({ ...Id, description: 'the ID of a survey' });

export const responseRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/responses',
    showsPeople: true,
    summary: 'List what users answered to a survey',
    description:
      '`id` is the survey. There is one Response for each user and showing. All filters must match. A page with filters, or by score, looks for two seconds at most: with `is_complete: false` it has fewer Responses than `limit`, and `cursor.before` goes on. With `details=true`, each Response has its score, comment, language and Tags, and the `properties` of its user.',
    permission: 'read',
    parameters: Type.Object({
      id,
      ...responseFilters,
      ...responseDetails,
      ...responsePageParameters,
      expand: expandParameter({ profile: 'min', company: 'min' }),
    }),
    example: { id: '5fb70dcbc39330000325a817' },
    output: OutputObject({
      responses: Type.Array(Response),
      is_complete: Type.Optional(Type.Boolean()),
      cursor: OrderedCursor,
    }),
    run: listResponses,
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/responses.:format',
    showsPeople: true,
    summary: 'Download what users answered to a survey as CSV',
    operation: 'downloadResponses',
    parameters: Type.Object({ id, ...responseFilters, ...responseDetails, format: OneOf(['csv']) }),
    example: { id: '5fb70dcbc39330000325a817' },
    output: Type.Unknown(),
    mediaTypes: ['text/csv'],
    run: (ctx, { format: _, ...params }) => exportResponses(ctx, params),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/responses/tags',
    summary: 'List the Tags of the Responses to a survey',
    description: 'The Tags that people have set by hand, those with the most Responses first.',
    operation: 'listResponseTags',
    parameters: Type.Object({ id }),
    example: { id: '5fb70dcbc39330000325a817' },
    output: OutputObject({ tags: Type.Array(ResponseTag) }),
    run: async (ctx, { id }) => ({ tags: await listResponseTags(ctx, id) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/responses',
    showsPeople: true,
    summary: 'Add Tags to Responses, or remove them',
    description: 'A Tag is any text. If one of the Responses does not exist, nothing changes.',
    operation: 'updateResponses',
    parameters: UpdateResponses,
    example: { ids: ['5fb70dcbc39330000325a818'], add_tags: ['pricing'] },
    errors: [404],
    output: OutputObject({ responses: Type.Array(Response) }),
    run: async (ctx, params) => ({ responses: await updateResponses(ctx, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/responses/:id',
    summary: 'Delete what a user answered to a survey',
    output: OutputObject({ response: Response }),
    run: async (ctx, { id }) => ({ response: await deleteResponse(ctx, id) }),
  }),
];
