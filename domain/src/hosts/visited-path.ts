import Type, { type Static } from 'typebox';
import { OutputObject, Text, Timestamp } from '../basics/schema.ts';

/** A path of the customer's product that users have visited. Parts that could identify somebody are `*`. */
export const VisitedPath = OutputObject({
  host: Type.String(),
  path: Type.String(),
  count: Type.Integer(),
  last_seen_at: Timestamp,
});
export type VisitedPath = Static<typeof VisitedPath>;

const MAX_PATHS_IN_LIST = 1000;

export const ListPaths = Type.Object({
  search: Type.Optional(Text('a part of the host and path', 200)),
  limit: Type.Unsafe<number>({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PATHS_IN_LIST,
    default: 100,
    description: `a whole number from 1 to ${MAX_PATHS_IN_LIST}`,
  }),
});
export type ListPaths = Static<typeof ListPaths>;

const MAX_PATH = 250;
const MAX_SEGMENTS = 12;
const MAX_SEGMENT = 40;
/** A word without digits has at most this many letters; tokens have more. */
const MAX_WORD = 24;

/**
 * The path of an address in the form in which it is recorded: without query and fragment, and with `*` for everything that
 * could identify a user or be a secret, such as IDs, emails and tokens. Undefined if nothing of it can be kept.
 */
export function toVisitedPath(href: string): string | undefined {
  const [, path = ''] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(href) ?? [];
  const segments = path.split('/').filter((segment) => segment !== '');
  const kept = segments
    .slice(0, MAX_SEGMENTS)
    .map((segment, at) => (isHarmless(segment) && !namesPerson(segment, segments[at - 1]) ? decode(segment) : '*'));
  if (segments.length > MAX_SEGMENTS) kept.push('*');
  const visited = `/${kept.join('/')}`;
  return visited.length > MAX_PATH ? undefined : visited;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '%';
  }
}

/** Many products have the name of a person after one of these words. */
const people = new Set(
  'u user users people person persons member members profiles customer customers contact contacts author authors employee employees'.split(
    ' ',
  ),
);
/** Words after `people` that name a page and not a person. */
const pagesOfPeople = new Set(
  'new add create edit me all list search invite invitations import export settings roles groups teams'.split(' '),
);
/** Files that are pages. Other segments with a dot are mostly names, such as `john.smith`. */
const pageFile = /^[\p{L}\d_~-]+\.(html?|xhtml|php|aspx?|jspx?|do|cgi|md|pdf)$/iu;

function namesPerson(encoded: string, encodedBefore = ''): boolean {
  const segment = decode(encoded);
  if (segment.includes('.') && !pageFile.test(segment)) return true;
  return people.has(decode(encodedBefore).toLowerCase()) && !pagesOfPeople.has(segment.toLowerCase());
}

/** Only words, with few digits in them, are harmless. It is better to lose a word than to keep a name or a token. */
function isHarmless(encoded: string): boolean {
  const segment = decode(encoded);
  if (segment.length > MAX_SEGMENT || !/^[\p{L}\p{M}\d._~-]+$/u.test(segment)) return false;
  return segment.split(/[._~-]+/).every(isWord);
}

function isWord(part: string): boolean {
  const digits = part.replace(/\D/g, '').length;
  if (part !== '' && digits === part.length) return false;
  if (digits > 2 || part.length > MAX_WORD) return false;
  if (digits > 0 && part.length >= 8) return false;
  // A mixture of cases beyond `camelCase` is a token.
  const turns = part.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  return turns <= Math.max(1, part.length / 5);
}
