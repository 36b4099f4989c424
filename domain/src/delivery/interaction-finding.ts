import Type, { type Static } from 'typebox';
import { Id, OneOf, OutputObject, Time, Timestamp } from '../basics/schema.ts';

/*
 * Whether pages find the elements that Experiences are placed at, and if not, why. Both are kept: only so can be told of
 * how many users it is.
 */

const problems = [
  ...(['not_found', 'text_differs', 'hidden', 'covered', 'ambiguous'] as const),
  ...(['no_shadow_root', 'bad_selector'] as const),
] as const;
export const findings = ['found', ...problems] as const;
export type Finding = (typeof findings)[number];

/** What a page reports when it cannot show something. */
export const ProblemInput = Type.Object(
  { reason: OneOf(problems) },
  { description: 'an object such as `{"reason": "not_found"}`' },
);

export const Problem = OutputObject({
  /** Of a launcher, the launcher itself. */
  step_id: Id,
  /** Of the pages: `*` stands for what is different on each of them. */
  path: Type.String(),
  reason: OneOf(problems),
  users_count: Type.Integer(),
  /** From 0 to 1, of the users who were to see it there. */
  share: Type.Number(),
  last_seen_at: Timestamp,
});
export type Problem = Static<typeof Problem>;

export const ListProblems = Type.Object({ from: Type.Optional(Time), until: Type.Optional(Time) });

const MAX_PATH = 200;

/** The path of a page as problems are counted by it: without what names one thing or user. Undefined: it has none. */
export function normalizePagePath(href: string): string | undefined {
  // Single-page applications may keep their path behind the hash.
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
