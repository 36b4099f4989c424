import Type, { type Static } from 'typebox';
import { Id, Nullable, OutputObject, Timestamp } from '../basics/schema.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { FailingStep } from './failing-step.ts';

/** What somebody should look at. */
export const attentionTypes = [
  /** Users do not see a step of a live Experience, because its element is not found. */
  'target_failing',
  /** An Experience is live, but there is no domain on which it can show. */
  'shows_nowhere',
  /** An alert group says that no one has seen a live Experience for its interval. */
  'experience_unseen',
  /** An alert group says that people have started a live Experience, but no one has completed it for its interval. */
  'experience_uncompleted',
  /** Every request to the webhook fails. */
  'webhook_failing',
  /** The webhook has failed for so long that nothing is sent any more. */
  'webhook_disabled',
  'secret_expiring',
  'secret_expired',
  /** Proposals wait until a person approves or rejects them. */
  'proposal_waiting',
  /** Pages have created as much as they may in one day. */
  'quota_reached',
  /** The operator has paused all webhooks of the server, or the server is a restored copy. */
  'sending_paused',
  /** The server no longer stores new events, profiles and reports, because the disk is nearly full. */
  'disk_nearly_full',
] as const;
export type AttentionType = (typeof attentionTypes)[number];

export const attentionTargets = [
  ...experienceKinds,
  ...(['webhook', 'secret', 'proposal', 'quota', 'server'] as const),
];

export const AttentionEntry = OutputObject({
  type: Type.Unsafe<AttentionType>({ type: 'string', enum: [...attentionTypes] }),
  /** Something does not work (`error`), or will stop working (`warning`). */
  severity: Type.Unsafe<'error' | 'warning'>({ type: 'string', enum: ['error', 'warning'] }),
  /** For a secret: when it expires. */
  since: Timestamp,
  /** How many people did not see it, for how many days no one has, how often a quota was exceeded, how many proposals wait, or null. */
  count: Nullable(Type.Integer()),
  target: OutputObject({
    type: Type.Unsafe<(typeof attentionTargets)[number]>({ type: 'string', enum: [...attentionTargets] }),
    /** Null for a quota, for the server, for all webhooks, and for several proposals. */
    id: Nullable(Id),
    /** For a quota: `profiles`, `hosts`, `events` or `properties`. If all webhooks are paused: why. */
    name: Type.String(),
  }),
  /** The step that fails for the most people, with its place in the draft, where 0 is the first; otherwise null. */
  step: Nullable(OutputObject({ ...FailingStep.properties, index: Nullable(Type.Integer()) })),
});
export type AttentionEntry = Static<typeof AttentionEntry>;
