import {
  CreatedWebhook,
  CreateWebhook,
  Cursor,
  FindWebhook,
  Id,
  itemStates,
  OneOf,
  OutputObject,
  pageParameters,
  ShownWebhook,
  toTimestampOrNull,
  UpdateWebhook,
  WebhookAttempt,
  WebhookAttemptWithRequest,
  WebhookItem,
  WebhookSending,
  WebhookWithSecret,
  warnOfUnsentTopics,
} from '@usher/domain';
import Type from 'typebox';
import { listRoute } from '../../http/list-route.ts';
import { route } from '../../http/route.ts';
import { presentItem, presentWebhook } from '../present-webhook.ts';
import { getItem, getWebhook, webhooksOf } from '../queries.ts';
import { findSendingPause } from '../sending/paused.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { listAttempts } from './list-attempts.ts';
import { listItems } from './list-items.ts';
import { pingWebhook } from './ping-webhook.ts';
import { retryItem } from './retry-item.ts';
import { rotateSecret } from './rotate-secret.ts';
import { showAttempt } from './show-attempt.ts';
import { updateWebhook } from './update-webhook.ts';

const OneWebhook = OutputObject({ webhook: ShownWebhook });
const NewSecret = OutputObject({ webhook: WebhookWithSecret });
const OneItem = OutputObject({ item: WebhookItem });

export const webhookRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/webhooks',
    summary: 'Create a webhook, which receives what users do; the response shows its secret, only this once',
    description:
      'The `secret` signs every request: keep it where your receiver finds it. The section `webhooks` of this document has what is sent.',
    parameters: CreateWebhook,
    example: { url: 'https://example.com/hooks', topics: ['tour.*', 'response.finished'] },
    status: 201,
    errors: [409],
    output: OutputObject({ webhook: CreatedWebhook }),
    showsSecret: true,
    warnOf: ({ topics }) => warnOfUnsentTopics(topics),
    run: async (ctx, params) => ({ webhook: await createWebhook(ctx, params) }),
  }),
  listRoute({
    path: '/v3/edit/webhooks',
    summary: 'List webhooks',
    name: 'webhooks',
    item: ShownWebhook,
    query: webhooksOf,
    present: presentWebhook,
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/webhooks',
    summary: 'Delete a webhook by its ID or its address, with all items that were not sent yet',
    operation: 'deleteFoundWebhook',
    parameters: FindWebhook,
    example: { url: 'https://example.com/hooks' },
    output: OneWebhook,
    run: async (ctx, find) => ({ webhook: await deleteWebhook(ctx, find) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/webhooks/:id',
    summary: 'Show a webhook',
    output: OneWebhook,
    run: async (ctx, { id }) => ({ webhook: presentWebhook(await getWebhook(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/webhooks/:id',
    runsOnFullDisk: true,
    summary: 'Change a webhook',
    parameters: UpdateWebhook,
    example: { topics: ['survey.*'] },
    errors: [409],
    output: OneWebhook,
    warnOf: ({ topics }) => warnOfUnsentTopics(topics),
    run: async (ctx, { id, ...params }) => ({ webhook: await updateWebhook(ctx, id, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/webhooks/:id',
    summary: 'Delete a webhook, with all items that were not sent yet',
    output: OneWebhook,
    run: async (ctx, { id }) => ({ webhook: await deleteWebhook(ctx, { id }) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/webhooks/:id/rotate',
    runsOnFullDisk: true,
    summary: 'Make a new secret; for 24 hours the one before signs too',
    description:
      '`webhook-signature` has both signatures meanwhile, the newest first. `X-Usher-Signature` uses the new secret immediately.',
    operation: 'rotateWebhookSecret',
    output: NewSecret,
    showsSecret: true,
    run: async (ctx, { id }) => ({ webhook: await rotateSecret(ctx, id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/webhooks/:id/ping',
    summary: 'Send a `ping` to a webhook',
    status: 201,
    errors: [409],
    output: OneItem,
    run: async (ctx, { id }) => ({ item: await pingWebhook(ctx, id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/webhooks/:id/items',
    showsPeople: true,
    summary: 'List the items of a webhook: those to be sent, and those of the last 30 days',
    parameters: Type.Object({ state: Type.Optional(OneOf(itemStates)), ...pageParameters }),
    output: OutputObject({ items: Type.Array(WebhookItem), cursor: Cursor }),
    run: listItems,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/webhooks/:id/items/:item_id',
    showsPeople: true,
    summary: 'Show an item of a webhook',
    output: OneItem,
    run: async (ctx, { id, item_id }) => ({ item: presentItem(await getItem(ctx, id, item_id)) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/webhooks/:id/items/:item_id/retry',
    summary: 'Send an item immediately, or again',
    errors: [409],
    output: OneItem,
    run: async (ctx, { id, item_id }) => ({ item: await retryItem(ctx, id, item_id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/webhooks/:id/attempts',
    showsPeople: true,
    summary: 'List the requests to a webhook in the last 30 days',
    parameters: Type.Object({
      item_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of an item' })),
      ...pageParameters,
    }),
    output: OutputObject({ attempts: Type.Array(WebhookAttempt), cursor: Cursor }),
    run: listAttempts,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/webhooks/:id/attempts/:attempt_id',
    showsPeople: true,
    summary: 'Show a request to a webhook, without its signatures, and the response',
    output: OutputObject({ attempt: WebhookAttemptWithRequest }),
    run: async (ctx, { id, attempt_id }) => ({ attempt: await showAttempt(ctx, id, attempt_id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/webhook_sending',
    summary: 'Show whether the operator has paused the sending to webhooks, as in a restored copy of the database',
    output: OutputObject({ webhook_sending: WebhookSending }),
    run: async ({ app }) => {
      const pause = await findSendingPause(app.storage);
      return {
        webhook_sending: {
          paused: pause !== undefined,
          reason: pause?.reason ?? null,
          paused_at: toTimestampOrNull(pause?.at ?? null),
        },
      };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/source_addresses',
    summary: 'List the addresses that requests to webhooks come from, where the operator has set them',
    output: OutputObject({ source_addresses: Type.Array(Type.String()) }),
    run: async ({ app }) => ({ source_addresses: [...app.webhooks.sourceAddresses] }),
  }),
];
