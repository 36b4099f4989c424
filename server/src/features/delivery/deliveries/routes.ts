import {
  CreateDelivery,
  Cursor,
  Delivery,
  Id,
  joinNames,
  listKindsWith,
  OutputObject,
  pageParameters,
  UpdateDelivery,
} from '@usher/domain';
import Type from 'typebox';
import { ResponseWithStatus, route } from '../../../http/route.ts';
import { cancelDelivery } from './cancel-delivery.ts';
import { createDelivery } from './create-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listNamedDeliveries } from './list-named-deliveries.ts';
import { listPendingDeliveries } from './list-pending-deliveries.ts';
import { NamedDelivery } from './named-deliveries.ts';
import { presentDelivery } from './present-delivery.ts';
import { getDeliveryOrRemoved } from './queries.ts';
import { updateDelivery } from './update-delivery.ts';

const OneDelivery = OutputObject({ delivery: Delivery });

export const deliveryRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/deliveries',
    summary: `Trigger a ${joinNames(listKindsWith('isExclusive'), 'or')} for one user; 200 when the idempotency key was used before`,
    description:
      'It shows at the next page load of the user, before what starts automatically. With an `idempotency_key` that was used for this user before, nothing is made: 200. A user can have 3 pending Deliveries, or as many as the account allows.',
    parameters: CreateDelivery,
    example: {
      model_kind: 'tour',
      model_id: '5fb70dcbc39330000325a818',
      profile_id: '5fb70dcbc39330000325a819',
      idempotency_key: 'renewal-2029',
      options: { manager: { name: 'Ann' } },
      until: '+30d',
    },
    status: 201,
    otherStatuses: [200],
    errors: [409],
    output: OneDelivery,
    run: async (ctx, params) => {
      const { delivery, created } = await createDelivery(ctx, params);
      return new ResponseWithStatus(created ? 201 : 200, { delivery });
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/deliveries',
    showsPeople: true,
    summary: 'List Deliveries, pending and triggered',
    description: '`profile_id` and `model_id` select.',
    parameters: Type.Object({ model_id: Type.Optional(Id), profile_id: Type.Optional(Id), ...pageParameters }),
    output: OutputObject({ deliveries: Type.Array(Delivery), cursor: Cursor }),
    run: listDeliveries,
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/deliveries',
    showsPeople: true,
    summary:
      'List Deliveries with the names of their users and Experiences, also the ones that were removed for a reason',
    operation: 'listNamedDeliveries',
    parameters: Type.Object({ model_id: Type.Optional(Id), ...pageParameters }),
    output: OutputObject({ deliveries: Type.Array(NamedDelivery), cursor: Cursor }),
    run: listNamedDeliveries,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/profiles/:id/deliveries',
    showsPeople: true,
    summary: 'List the pending Deliveries of a user in their order, and how many there may be',
    output: OutputObject({ deliveries: Type.Array(NamedDelivery), delivery_ids_limit: Type.Integer() }),
    run: (ctx, { id }) => listPendingDeliveries(ctx, id),
  }),
  ...['deliveries', 'delivery'].flatMap(routesOfOne),
];

/** Existing clients use both the plural and the singular. */
function routesOfOne(name: string) {
  const path = `/v3/edit/${name}/:id` as const;
  const [description, ending] =
    name === 'deliveries'
      ? ['409 once it was triggered.', '']
      : ['The same as `/v3/edit/deliveries/{id}`, for clients that know this path.', 'AtSingularPath'];
  return [
    route({
      methods: ['GET'],
      path,
      showsPeople: true,
      summary: 'Show a Delivery',
      operation: `getDelivery${ending}`,
      output: OneDelivery,
      run: async (ctx, { id }) => ({ delivery: presentDelivery(await getDeliveryOrRemoved(ctx, id)) }),
    }),
    route({
      methods: ['PUT', 'PATCH'],
      path,
      summary: 'Change a pending Delivery, or its place among the pending ones',
      description,
      operation: `updateDelivery${ending}`,
      parameters: UpdateDelivery,
      example: { options: { manager: { name: 'Bo' } }, delivery_ids_position: 'first' },
      errors: [409],
      output: OneDelivery,
      run: async (ctx, { id, ...params }) => ({ delivery: await updateDelivery(ctx, id, params) }),
    }),
    route({
      methods: ['DELETE'],
      path,
      summary: 'Cancel a pending Delivery',
      description,
      operation: `cancelDelivery${ending}`,
      errors: [409],
      output: OneDelivery,
      run: async (ctx, { id }) => ({ delivery: await cancelDelivery(ctx, id) }),
    }),
  ];
}
