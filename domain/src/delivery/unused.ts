import Type, { type Static } from 'typebox';
import { Cursor, Id, Nullable, OneOf, OutputObject, pageParameters, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { propertyKinds } from '../ingestion/property.ts';
import { experienceKinds } from '../kinds/kinds.ts';

/** What the page "Clean-up" lists. */
export const unusedKinds = ['experiences', 'segments', 'tags', 'properties', 'goals', 'themes', 'pictures'] as const;
export type UnusedKind = (typeof unusedKinds)[number];

export const unusedReasons = [
  /** Nothing names it. */
  'not_used',
  /** Nothing names the Property, and no value has arrived for `UNUSED_DAYS`. */
  'not_sent',
  /** The Experience has ended. */
  'ended',
  /** No one has ever seen the Experience, and it is not new. */
  'never_shown',
  /** No one has seen the Experience for `UNUSED_DAYS`. */
  'not_shown',
] as const;
export type UnusedReason = (typeof unusedReasons)[number];

/** So long an Experience must not have been seen, and no value of a Property must have arrived. */
export const UNUSED_DAYS = 30;

const DAY_MS: Millis = 24 * 60 * 60_000;
/** Somebody who has made a record lately may be about to use it. */
const NEW_DAYS = 7;

export function isNewRecord(createdAt: Millis, now: Millis): boolean {
  return createdAt > now - NEW_DAYS * DAY_MS;
}

export const UnusedEntry = OutputObject({
  id: Id,
  name: Type.String(),
  reason: OneOf(unusedReasons),
  /** The kind of an Experience or of a Property; otherwise null. */
  kind: Nullable(OneOf([...experienceKinds, ...propertyKinds])),
  updated_at: Timestamp,
  /**
   * When an Experience was last seen, a Tag was last added or removed, a value of a Property last arrived, or since when a picture is not
   * used; null if that is unknown or never was.
   */
  last_used_at: Nullable(Timestamp),
  /** Of a picture: its bytes. */
  size: Nullable(Type.Integer()),
});
export type UnusedEntry = Static<typeof UnusedEntry>;

export const ListUnused = Type.Object({
  kind: OneOf(unusedKinds),
  limit: pageParameters.limit,
  before: pageParameters.before,
});
export type ListUnused = Static<typeof ListUnused>;

export const Unused = OutputObject({ unused: Type.Array(UnusedEntry), cursor: Cursor });
export type Unused = Static<typeof Unused>;
