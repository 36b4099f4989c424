import Type, { type Static } from 'typebox';
import { canonicalLanguage } from '../account/language.ts';
import { ExternalId, Id, Nullable, OneOf, OutputObject, Text, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { type PageReasonCode, pageReasons } from '../decision/reason.ts';
import { HrefParam } from '../hosts/href.ts';
import { browserKinds, browserNames } from '../ingestion/browsers.ts';
import { companyReferences, toCompanyReference } from '../ingestion/company.ts';
import type { ProfileItem } from '../ingestion/profile.ts';
import { reservedProfileKeys } from '../ingestion/reserved-keys.ts';
import { readCustom } from '../ingestion/value.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { Delivery } from './delivery.ts';

const MAX_WIDTH = 100_000;
const MAX_UTC_OFFSET = 14;
/** The limit for a user and for a Company each. */
const MAX_KEYS = 200;
export const MAX_HASH_AGE_MS: Millis = 24 * 60 * 60_000;
/** A hash may be from the future by this much, because clocks differ. */
const MAX_CLOCK_SKEW_MS: Millis = 5 * 60_000;

/** What a page sends when it loads. */
export const VisitInput = Type.Object({
  account_token: Type.Optional(Text('the public token of the account')),
  uid: Type.Optional(ExternalId('the ID that your product has for the user; without it, the user has not signed in')),
  anonymous_uid: Type.Optional(
    Nullable(ExternalId('the `uid` that an earlier page load returned for a user who had not signed in')),
  ),
  uid_hash: Type.Optional(Nullable(Text('the proof of the `uid` that your backend made'))),
  identity_hash: Type.Optional(
    Nullable(Text('the proof of `uid`, `email` and the `uid` of the Company that your backend made')),
  ),
  email: Type.Optional(Nullable(ExternalId('an email address'))),
  properties: Type.Optional(
    Nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'an object of custom properties',
      }),
    ),
  ),
  ...companyReferences,
  href: HrefParam,
  browser: Type.Optional(
    Nullable(
      Type.Object(
        {
          x: Type.Optional(
            Nullable(
              Type.Unsafe<number>({
                type: 'number',
                minimum: 0,
                maximum: MAX_WIDTH,
                description: `a width in pixels, ${MAX_WIDTH} at most`,
              }),
            ),
          ),
          tz: Type.Optional(
            Nullable(
              Type.Unsafe<number>({
                type: 'number',
                minimum: -MAX_UTC_OFFSET,
                maximum: MAX_UTC_OFFSET,
                description: `the hours from UTC, from -${MAX_UTC_OFFSET} to ${MAX_UTC_OFFSET}`,
              }),
            ),
          ),
          l: Type.Optional(Nullable(Text('a language such as `pt-BR`'))),
          n: Type.Optional(Nullable(OneOf(browserNames))),
          k: Type.Optional(Nullable(OneOf(browserKinds))),
        },
        { description: 'an object such as `{"x": 1440, "tz": -8, "l": "pt-BR", "n": "chrome", "k": "desktop"}`' },
      ),
    ),
  ),
  /** Returns why each Experience shows or does not, and records nothing. */
  explain: Type.Unsafe<boolean>({ type: 'boolean', default: false }),
});
export type VisitInput = Static<typeof VisitInput>;

/** The profile in the response: in full when the `uid` is proven, else only what the page sent, with null for the rest. */
const VisitProfile = Type.Object(
  {
    id: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
    uid: Type.String(),
    anonymous: Type.Optional(Type.Boolean()),
    browser_x: Nullable(Type.Number()),
    browser_tz: Nullable(Type.Number()),
    browser_l: Nullable(Type.String()),
    browser_n: Nullable(OneOf(browserNames)),
    browser_k: Nullable(OneOf(browserKinds)),
    percent: Nullable(Type.Number()),
    last_seen_at: Nullable(Timestamp),
    last_seen_session_count: Nullable(Type.Integer()),
    delivery_ids: Type.Array(Id),
  },
  { additionalProperties: true },
);

const { id, model_id, model_kind, options, from, until, use_segmentation, once, skip_triggers, skip_url_match } =
  Delivery.properties;
const VisitDelivery = OutputObject({
  ...{ id, model_id, model_kind, options, from, until, use_segmentation, once, skip_triggers, skip_url_match },
  /** Whether the Delivery may run now. */
  ready: Type.Boolean(),
  /** Why the Delivery may not run, in a visit with `explain`. */
  reasons: Type.Optional(Type.Array(Type.String())),
});

/** The fields of an Experience beside its steps, or the items of a launcher. */
const experienceFields = {
  id: Id,
  kind: OneOf(experienceKinds),
  /** The step that was seen last, when the user is in the middle of the Experience. */
  step_id: Type.Optional(Id),
  /** The language of its texts, when they are translated. A text in another language is in an element with `lang`. */
  language: Type.Optional(Type.String()),
  direction: Type.Optional(OneOf(['ltr', 'rtl'])),
  /** The theme, when it is not the default one. */
  theme_id: Type.Optional(Id),
};
const VisitExperience = Type.Object(
  {
    ...experienceFields,
    /** Whether the Experience starts automatically. If not, it is here for a Delivery. */
    automatic: Type.Boolean(),
    /**
     * The Experience starts automatically, but something keeps it back: as far as the server knows, the step that the user is at
     * is for other pages, or the user is in the middle of another Experience. It shows if the step of the other cannot show here.
     */
    waiting: Type.Optional(Type.Boolean()),
    /** Whether an event starts it, which the report `started` claims with `by_event`. */
    by_event: Type.Optional(Type.Boolean()),
    /** The later steps that waited for an event which has come. */
    reached: Type.Optional(Type.Array(Id)),
  },
  { additionalProperties: true },
);

const Explanation = OutputObject({
  id: Id,
  kind: OneOf(experienceKinds),
  name: Type.String(),
  shows: Type.Boolean(),
  reasons: Type.Array(Type.String()),
});

/** The labels of the script, for users who do not read English, and `language`: the one that they are in. */
const Labels = Type.Record(Type.String(), Type.String());

/**
 * The style sheets of the Experiences in the response, by the ID of their theme; `default` for Experiences without one. A theme
 * that changes nothing is missing.
 */
export const PageThemes = Type.Record(Type.String(), OutputObject({ class: Type.String(), css: Type.String() }));

export const VisitOutput = OutputObject({
  /** With `explain`: whether the user exists. */
  known: Type.Optional(Type.Boolean()),
  profile: VisitProfile,
  visit: Type.Optional(
    OutputObject({
      token: Type.String(),
      /** In how many milliseconds the page sends the next visit, because an Experience may start then. */
      again_ms: Type.Optional(Type.Integer()),
      /** The ticket for `GET /v3/observe/stream`, if something on the page waits for an event. */
      stream: Type.Optional(Type.String()),
    }),
  ),
  deliveries: Type.Array(VisitDelivery),
  experiences: Type.Array(VisitExperience),
  /** The events that the page counts without code, if there are any. */
  events: Type.Optional(
    Type.Array(
      OutputObject({
        name: Type.String(),
        /** The ways to find the element whose clicks count. Without them, opening the page counts. */
        elements: Type.Optional(Type.Array(Type.Record(Type.String(), Type.String()))),
        /** Whether it is for some pages only. */
        is_local: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
  labels: Type.Optional(Labels),
  themes: Type.Optional(PageThemes),
  explanations: Type.Optional(Type.Array(Explanation)),
  /** With `explain`: what of this page load would not be stored, and why. */
  ignored: Type.Optional(Type.Array(OutputObject({ name: Type.String(), reason: Type.String() }))),
  /** With `explain`: whether the page gets no Delivery options and no personal texts, because it proves nothing. */
  withheld: Type.Optional(Type.Boolean()),
});
export type VisitOutput = Static<typeof VisitOutput>;

/** What a page sends when its user has not consented yet: nothing but its address. */
export const PageInput = Type.Object({
  account_token: Type.Optional(Text('the public token of the account')),
  href: HrefParam,
});
export type PageInput = Static<typeof PageInput>;

export const PageOutput = OutputObject({
  experiences: Type.Array(VisitExperience),
  labels: Type.Optional(Labels),
  themes: Type.Optional(PageThemes),
});

/** An explicit request for an Experience: from the code of the page, a link, a launcher or a button. */
export const ShowInput = Type.Object({
  visit_token: Type.Optional(Text('the token of the visit', 1000)),
  experience_id: Type.Unsafe<string>({ ...Id, description: 'the ID of the Experience' }),
  href: HrefParam,
  use_segmentation: Type.Unsafe<boolean>({ type: 'boolean', default: false }),
  once: Type.Unsafe<boolean>({ type: 'boolean', default: false }),
  skip_url_match: Type.Unsafe<boolean>({ type: 'boolean', default: true }),
});
export type ShowInput = Static<typeof ShowInput>;

export const ShowOutput = OutputObject({
  experience: Nullable(Type.Object(experienceFields, { additionalProperties: true })),
  labels: Type.Optional(Labels),
  themes: Type.Optional(PageThemes),
  /** Why it does not show, in words. */
  reason: Nullable(Type.String()),
  /** The reason as a code, for the code of the page; missing when the Experience shows. */
  reason_code: Type.Optional(OneOf(Object.keys(pageReasons) as PageReasonCode[])),
});

/** What a page knows about its browser; null when it sent nothing. */
export interface Browser {
  browser_x: number | null;
  browser_tz: number | null;
  browser_l: string | null;
  browser_n: (typeof browserNames)[number] | null;
  browser_k: (typeof browserKinds)[number] | null;
}

export function toBrowser(
  { browser }: Pick<VisitInput, 'browser'>,
  acceptLanguage: string | undefined,
  problems: string[],
): Browser {
  const { x = null, tz = null, l = null, n = null, k = null } = browser ?? {};
  const language = l === null ? undefined : parseLanguage(l);
  if (l !== null && language === undefined) problems.push('`browser.l` must be a language such as `pt-BR`');
  return {
    browser_x: x === null ? null : Math.round(x),
    // Adding 0 turns -0 into 0, because the database would not return -0.
    browser_tz: tz === null ? null : Math.round(tz) + 0,
    browser_l: language ?? parseAcceptLanguage(acceptLanguage) ?? null,
    browser_n: n,
    browser_k: k,
  };
}

/** The first language in the header. */
function parseAcceptLanguage(header = ''): string | undefined {
  return parseLanguage(/^[^,;]*/.exec(header)?.[0] ?? '');
}

function parseLanguage(input: string): string | undefined {
  return canonicalLanguage(input.trim().replaceAll('_', '-'));
}

/** The data of the user in a visit. */
export function toVisitProfileItem(
  input: VisitInput & { uid: string },
  problems: string[],
  now: Millis,
): ProfileItem & { uid: string } {
  const tooMany = [
    findKeyCountProblems('properties', input.properties),
    findKeyCountProblems('company', input.company),
  ].flat();
  if (tooMany.length > 0) {
    problems.push(...tooMany);
    return { uid: input.uid, custom: {} };
  }
  const company = toCompanyReference(input, problems, now);
  if (input.identity_hash) problems.push(...findLineBreakProblems({ ...input, company_uid: company?.uid }));
  return {
    uid: input.uid,
    email: input.email,
    company,
    custom: readCustom(input.properties ?? {}, reservedProfileKeys, problems, now, 'properties.'),
  };
}

/** Each new key becomes a Property, so a page that invents keys would fill the list of Properties. */
export function findKeyCountProblems(name: string, input: object | null | undefined): string[] {
  const count = Object.keys(input ?? {}).length;
  return count > MAX_KEYS ? [`\`${name}\` must have ${MAX_KEYS} keys at most, not ${count}`] : [];
}

/** With a line break in a value, two different sets of values would have the same signed text. */
function findLineBreakProblems(
  input: Pick<VisitInput, 'uid' | 'email'> & { company_uid: string | undefined },
): string[] {
  const names = (['uid', 'email', 'company_uid'] as const).filter((name) => /[\r\n]/.test(input[name] ?? ''));
  return names.map((name) => `\`${name}\` must have no line break where \`identity_hash\` is sent`);
}

/** A digest from a page, and the text that it must be the digest of. */
export interface SignedText {
  digest: string;
  signed: string;
}

/** The digest that proves a uid. Undefined when there is none, or when it is too old. */
export function readUidHash(uidHash: string | null | undefined, uid: string, now: Millis): SignedText | undefined {
  const hash = readHash(uidHash, now);
  return hash && { digest: hash.digest, signed: `${uid}-${hash.seconds}` };
}

/** The digest that proves the uid, the email and the Company. Undefined when there is none, or when it is too old. */
export function readIdentityHash(
  identityHash: string | null | undefined,
  { uid, email, company }: Pick<ProfileItem, 'email' | 'company'> & { uid: string },
  now: Millis,
): SignedText | undefined {
  const hash = readHash(identityHash, now);
  const values = [uid, email ?? '', company?.uid ?? ''];
  return hash && { digest: hash.digest, signed: [...values, hash.seconds].join('\n') };
}

/** What is wrong with a hash, whatever it was made of. Undefined if it could be right. */
export function findHashProblem(
  hash: string,
  now: Millis,
): 'empty' | 'no_time' | 'base64' | 'milliseconds' | 'malformed' | 'expired' | 'future' | undefined {
  if (hash === '') return 'empty';
  if (/^[\da-f]{64}$/i.test(hash)) return 'no_time';
  if (/^[\w+/-]{43}=?(-\d+)?$/.test(hash)) return 'base64';
  const [, seconds] = /^[\da-f]{64}-(\d{1,13})$/i.exec(hash) ?? [];
  if (seconds === undefined) return 'malformed';
  if (seconds.length === 13) return 'milliseconds';
  if (readHash(hash, now)) return undefined;
  return Number(seconds) * 1000 > now ? 'future' : 'expired';
}

function readHash(hash: string | null | undefined, now: Millis): { digest: string; seconds: string } | undefined {
  const [, digest = '', seconds = ''] = /^([\da-f]{64})-(\d{1,12})$/i.exec(hash ?? '') ?? [];
  const at = Number(seconds) * 1000;
  if (digest === '' || now - at > MAX_HASH_AGE_MS || at - now > MAX_CLOCK_SKEW_MS) return undefined;
  return { digest: digest.toLowerCase(), seconds };
}
