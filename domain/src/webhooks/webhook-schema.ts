import Type, { type Static } from 'typebox';
import {
  Id,
  Nullable,
  OneOf,
  OutputObject,
  SeenUpdatedAt,
  ShownOnce,
  standardFields,
  Text,
  Timestamp,
} from '../basics/schema.ts';
import { withArticle } from '../fields/derive.ts';
import { joinNames, pathOfKind } from '../kinds/kinds.ts';
import { itemStates, type Topic, topics, webhookEventKinds, webhookExperienceKinds, webhookKinds } from './webhook.ts';

const MAX_URL = 2000;
const MAX_EXPERIENCES = 1000;
const MAX_HEADER_NAME = 100;

/** The state of the last item. Nothing is sent to a `disabled` webhook. */
const webhookStates = ['sent', 'failing', 'failed', 'disabled'] as const;
export type WebhookState = (typeof webhookStates)[number];

export const ShownWebhook = OutputObject({
  ...standardFields,
  kind: OneOf(webhookKinds),
  /** The URL. */
  uid: Type.String(),
  name: Type.String(),
  topics: Type.Array(OneOf(topics)),
  experience_ids: Type.Array(Id),
  /** Further headers of each request, which repeat `X-Usher-Id` and `X-Usher-Signature`. */
  id_header: Nullable(Type.String()),
  signature_header: Nullable(Type.String()),
  enabled: Type.Boolean(),
  secret_rotated_at: Nullable(Timestamp),
  failing_since: Nullable(Timestamp),
  last_item_at: Nullable(Timestamp),
  last_item_state: Nullable(OneOf(webhookStates)),
  last_item_error: Nullable(Type.String()),
});
export type ShownWebhook = Static<typeof ShownWebhook>;

/** The response that creates a webhook shows its secret, only this once. */
export const CreatedWebhook = OutputObject({ ...ShownWebhook.properties, secret: ShownOnce });

/** The response with a new secret. */
export const WebhookWithSecret = OutputObject({ ...ShownWebhook.properties, secret: Type.String() });
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

/** An item that is or will be sent to a webhook. */
export const WebhookItem = OutputObject({
  id: Id,
  created_at: Timestamp,
  kind: OneOf(webhookEventKinds),
  profile_id: Nullable(Id),
  state: OneOf(itemStates),
  attempts_count: Type.Integer(),
  /** Null when the item was sent or given up, or waits for an earlier item of the same user. */
  next_attempt_at: Nullable(Timestamp),
});
export type WebhookItem = Static<typeof WebhookItem>;

/** One request for an item. */
export const WebhookAttempt = OutputObject({
  id: Id,
  created_at: Timestamp,
  item_id: Id,
  kind: OneOf(webhookEventKinds),
  profile_id: Nullable(Id),
  at: Timestamp,
  /** The status of the response; null when there was none. */
  status: Nullable(Type.Integer()),
  /** The time from the start of the request to the end of the response. */
  duration_ms: Type.Integer(),
  /** The start of the response body. */
  answer: Nullable(Type.String()),
  error: Nullable(Type.String()),
});
export type WebhookAttempt = Static<typeof WebhookAttempt>;

/** An attempt with its request, built again from the records as they are now. */
export const WebhookAttemptWithRequest = OutputObject({
  ...WebhookAttempt.properties,
  /** Null when the item is gone, or the user it is about. */
  request: Nullable(
    OutputObject({
      url: Type.String(),
      /** Signatures are left out. */
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
    }),
  ),
});
export type WebhookAttemptWithRequest = Static<typeof WebhookAttemptWithRequest>;

const url = Text('the address that items are sent to, such as `https://example.com/hooks`', MAX_URL);
const name = Text('the name of the webhook');
const topicsParameter = {
  ...Type.Array(OneOf(topics)),
  minItems: 1,
  maxItems: topics.length,
  description: 'a list of topics such as `tour.completed` or `survey.*`',
};
const experience_ids = {
  ...Type.Array(Id),
  maxItems: MAX_EXPERIENCES,
  description: `a list of the IDs of ${joinNames(webhookExperienceKinds.map(pathOfKind), 'and')}; an empty one means all of them`,
};

/** The singular parameter means a list with one ID. */
const experience_id = Type.Optional(
  Nullable(
    Type.Unsafe<string>({
      ...Id,
      description: `the ID of ${joinNames(webhookExperienceKinds.map(withArticle), 'or')}, or null for all of them`,
    }),
  ),
);

const header = (value: string) =>
  Type.Optional(
    Nullable(
      Text(
        `the name of a further header with the ${value}, such as \`X-Guide-${value === 'ID' ? 'Id' : 'Signature'}\``,
        MAX_HEADER_NAME,
      ),
    ),
  );
const headers = { id_header: header('ID'), signature_header: header('signature') };

export const CreateWebhook = Type.Object({
  kind: OneOf(webhookKinds, { default: 'webhook' }),
  url,
  name: Type.Optional(name),
  topics: Type.Unsafe<Topic[]>(topicsParameter),
  experience_ids: Type.Optional(Type.Unsafe<string[]>(experience_ids)),
  experience_id,
  ...headers,
});
export type CreateWebhook = Static<typeof CreateWebhook>;

export const UpdateWebhook = Type.Object({
  url: Type.Optional(url),
  name: Type.Optional(name),
  topics: Type.Optional(Type.Unsafe<Topic[]>(topicsParameter)),
  experience_ids: Type.Optional(Type.Unsafe<string[]>(experience_ids)),
  experience_id,
  ...headers,
  enabled: Type.Optional(Type.Boolean()),
  updated_at: SeenUpdatedAt,
});
export type UpdateWebhook = Static<typeof UpdateWebhook>;

/** The Experiences that a request names, without duplicates; undefined when it has neither parameter. */
export function parseExperienceIds({
  experience_id,
  experience_ids,
}: {
  experience_id?: string | null | undefined;
  experience_ids?: readonly string[] | undefined;
}): string[] | undefined | { problem: string } {
  if (experience_id !== undefined && experience_ids !== undefined)
    return { problem: 'Give `experience_id` or `experience_ids`, not both' };
  if (experience_id !== undefined) return experience_id === null ? [] : [experience_id];
  return experience_ids && [...new Set(experience_ids)];
}

/** A request finds the webhook by one of these two. */
export const FindWebhook = Type.Object({
  id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of the webhook' })),
  url: Type.Optional(url),
});
export type FindWebhook = Static<typeof FindWebhook>;

/** Whether items are sent. While sending is paused, they wait. */
export const WebhookSending = OutputObject({
  paused: Type.Boolean(),
  /** Why sending is paused. */
  reason: Nullable(Type.String()),
  paused_at: Nullable(Timestamp),
});
