import Type, { type TProperties, type TSchema } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import { PageElement } from '../content/field-schemas.ts';
import { Delivery } from '../delivery/delivery.ts';
import { Response } from '../delivery/response.ts';
import { EmbeddedProfile } from '../ingestion/profile.ts';
import { type ExperienceKind, experienceKinds, kinds, listKindsWith } from '../kinds/kinds.ts';
import { type WebhookEventKind, webhookEventKinds, webhookExperienceKinds } from './webhook.ts';

const text = Nullable(Type.String());
const profile = {
  profile: EmbeddedProfile,
  profile_truncated: Type.Optional(
    Type.Literal(true, { description: 'Properties were left out, because the profile was larger than 8 KB.' }),
  ),
};
const experience = {
  id: Id,
  created_at: Timestamp,
  kind: OneOf(experienceKinds),
  name: text,
  published_at: Nullable(Timestamp),
  segment_id: Nullable(Id),
};
const question = OutputObject({
  id: Id,
  title: text,
  body: text,
  preset: text,
  dropdown_items: Type.Array(Type.String()),
  buttons: Type.Array(OutputObject({ id: Id, position: Type.Integer(), text })),
});
const user = Nullable(OutputObject({ id: Id, name: Type.String(), email: Type.String() }));
const step = { id: Id, index: Type.Integer(), preset: text };
const actionFields = {
  id: Id,
  kind: Type.String(),
  at: Timestamp,
  href: text,
  group_kind: text,
  group_id: Nullable(Id),
};
const snoozed = {
  deferred_until: Timestamp,
  deferred_hours: Nullable(Type.Number()),
  deferred_count: Nullable(Type.Integer()),
  defer_until: Timestamp,
};
const button = OutputObject({ id: Id, position: Type.Integer(), text, tour_action: text });
const problem = OutputObject({
  elements: Type.Array(PageElement),
  path: Type.String(),
  browser: Type.String(),
  users_count: Type.Integer(),
  total_users_count: Type.Integer(),
  share: Type.Number(),
  since: Timestamp,
});

function experienceOf(kind: ExperienceKind): TSchema {
  return OutputObject(kinds[kind].asks ? { ...experience, user, steps: Type.Array(question) } : experience);
}

/** The fields of what the user did. */
function actionData(kind: ExperienceKind, action: string): TProperties {
  return {
    ...profile,
    [kind]: experienceOf(kind),
    step: Nullable(OutputObject({ ...step, body: text })),
    ...(action === 'button.clicked' && { button }),
    action: OutputObject({ ...actionFields, ...(action === 'snoozed' && snoozed) }),
  };
}

const otherData: Partial<Record<WebhookEventKind, TProperties>> = {
  ping: { account: OutputObject({ id: Id, domain: text, name: text }) },
  'response.finished': {
    ...profile,
    ...Object.fromEntries(listKindsWith('asks').map((kind) => [kind, experienceOf(kind)])),
    response: Response,
  },
  'delivery.triggered': {
    ...profile,
    ...Object.fromEntries(listKindsWith('isExclusive').map((kind) => [kind, Type.Optional(experienceOf(kind))])),
    delivery: Type.Union([Delivery, OutputObject({ id: Id })]),
  },
  'experience.target_missing': {
    experience: OutputObject(experience),
    step: Nullable(OutputObject({ ...step, title: text, body: text })),
    problem,
  },
  'alert.triggered': {
    alert_group: OutputObject({
      id: Id,
      name: Type.String(),
      kind: Type.String(),
      style: Type.String(),
      interval: Type.Number(),
    }),
    experiences: Type.Array(OutputObject({ ...experience, since: Timestamp })),
    experiences_count: Type.Integer(),
  },
};

let schemas: Record<WebhookEventKind, TSchema> | undefined;

/** What the body of a request to a webhook is, by its topic. */
export function payloadSchemas(): Record<WebhookEventKind, TSchema> {
  schemas ??= Object.fromEntries(
    webhookEventKinds.map((topic) => {
      const kind = webhookExperienceKinds.find((kind) => topic.startsWith(`${kind}.`));
      const data = kind ? actionData(kind, topic.slice(kind.length + 1)) : (otherData[topic] ?? {});
      const payload = OutputObject({ id: Id, kind: Type.Literal(topic), sent_at: Timestamp, data: OutputObject(data) });
      return [topic, payload];
    }),
  ) as unknown as Record<WebhookEventKind, TSchema>;
  return schemas;
}
