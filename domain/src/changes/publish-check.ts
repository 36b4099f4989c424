import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject } from '../basics/schema.ts';
import { AddedInterruptions } from '../delivery/interruptions.ts';
import { ChangeSummary } from './change.ts';

export const publishWarnings = [
  'no_url_rule',
  'reaches_everyone',
  'element_not_seen',
  'unlikely_trigger',
  'already_completed',
  'untranslated',
  'no_alt_text',
  'others_first',
  'same_page',
  'imported_step',
  'unsupported_action',
  'unsupported_filter',
  'event_unknown',
  'event_not_sent',
  'many_interruptions',
] as const;

/** What an administrator should know before publishing. */
export const PublishCheck = OutputObject({
  /** The problems that keep the draft from being published. */
  problems: Type.Array(OutputObject({ path: Type.String(), message: Type.String() })),
  /** Warnings about what may not be as the author intended. */
  warnings: Type.Array(
    OutputObject({
      code: OneOf(publishWarnings),
      message: Type.String(),
      path: Type.String(),
      /** The other Experiences that the warning is about, by priority. */
      experience_ids: Type.Array(Id),
    }),
  ),
  /** What publishing changes for users, as `changes/summary` returns it. */
  summary: ChangeSummary,
  /**
   * How many users the draft is for, and how many the live version is for; null if it is not live. `is_complete` is false if there
   * was no time to look at all users: then both counts are minimums, and `estimate` has about how many there are.
   */
  reach: OutputObject({
    now: Type.Integer(),
    before: Nullable(Type.Integer()),
    is_complete: Type.Boolean(),
    estimate: OutputObject({ now: Type.Integer(), before: Nullable(Type.Integer()) }),
  }),
  /** What it adds to the interruptions of these people. Null if it interrupts nobody: another kind, or one that does not start automatically. */
  interruptions: Nullable(AddedInterruptions),
});
export type PublishCheck = Static<typeof PublishCheck>;
export type PublishWarning = PublishCheck['warnings'][number];
