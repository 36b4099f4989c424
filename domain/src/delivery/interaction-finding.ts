import Type, { type Static } from 'typebox';
import { Id, OneOf, OutputObject, Time, Timestamp } from '../basics/schema.ts';
import { browserFamilies } from './browser-family.ts';

/*
 * Whether pages find the elements that Experiences are placed at, and if not, why. Successes are stored too, because the
 * share of affected users needs both.
 */

const problems = [
  ...(['not_found', 'text_differs', 'hidden', 'covered', 'ambiguous'] as const),
  ...(['no_shadow_root', 'bad_selector', 'error'] as const),
] as const;
export const findings = ['found', ...problems] as const;
export type Finding = (typeof findings)[number];

/** The problem in a report of a page that cannot show a step. */
export const ProblemInput = Type.Object(
  { reason: OneOf(problems) },
  { description: 'an object such as `{"reason": "not_found"}`' },
);

export const Problem = OutputObject({
  /** For a launcher, this is the ID of the launcher. */
  step_id: Id,
  /** The path of the pages. `*` replaces the parts that differ. */
  path: Type.String(),
  reason: OneOf(problems),
  users_count: Type.Integer(),
  /** The share of the users who should have seen it there, from 0 to 1. */
  share: Type.Number(),
  /** The same by browser, the most users first. A user of two browsers counts in the last one of each day. */
  browsers: Type.Array(
    OutputObject({ browser: OneOf(browserFamilies), users_count: Type.Integer(), share: Type.Number() }),
  ),
  /** The first and the last time in the range of days. */
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
});
export type Problem = Static<typeof Problem>;

export const ListProblems = Type.Object({ from: Type.Optional(Time), until: Type.Optional(Time) });

const MAX_PATH = 200;

/** The path by which problems are counted: without IDs of things or users. Undefined when the address has no path. */
export function normalizePagePath(href: string): string | undefined {
  // Single-page applications may have their path after the hash.
  const [, path, route = ''] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)[^#]*(#!?\/[^?]*)?/i.exec(href) ?? [];
  if (path === undefined) return undefined;
  const parts = `${path || '/'}${route}`.split('/').map((part) => (isIdentifier(part) ? '*' : part));
  return parts.join('/').slice(0, MAX_PATH);
}

/** Whether a part of a path looks like an ID, an email address or a key. */
function isIdentifier(part: string): boolean {
  if (/^\d+$|@|%40/.test(part)) return true;
  return /\d/.test(part) && /^([\da-f-]{8,}|\w{12,})$/i.test(part);
}
