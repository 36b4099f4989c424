import Type, { type Static } from 'typebox';
import { ExternalId, Id, OutputObject, Text, Time, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';

/** How long a link lasts, if nobody says. */
export const LINK_MS: Millis = 90 * 24 * 60 * 60_000;
const MAX_LINKS = 500;

/**
 * What the signature of a link signs. `usher-client` has the same lines. It begins and ends with a word, so that it can be taken for no
 * other text that the `uid_secret` signs.
 */
export function signedSurveyLink(surveyKey: string, link: { uid: string; id: string; expires: number }): string {
  return ['survey_link', surveyKey, link.uid, link.id, link.expires, 'survey_link'].join('\n');
}

/** Whose answers come with the links. */
export const SurveyLinksInput = Type.Object({
  survey_id: Type.Unsafe<string>({ ...Id, description: 'the ID of a survey' }),
  uids: Type.Unsafe<string[]>({
    ...Type.Array(ExternalId('the `uid` of a user')),
    minItems: 1,
    maxItems: MAX_LINKS,
    description: `a list of 1 to ${MAX_LINKS} \`uid\`s`,
  }),
  link_id: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'up to 64 letters, digits, `-` and `_`: a user answers once for each',
    }),
  ),
  expires_at: Type.Optional(Time),
});
export type SurveyLinksInput = Static<typeof SurveyLinksInput>;

export const SurveyLinks = Type.Array(OutputObject({ uid: Type.String(), url: Type.String(), expires_at: Timestamp }));
export type SurveyLinks = Static<typeof SurveyLinks>;

const MAX_REPORTS = 50;

/** What the public page of a survey sends: what somebody answers. Each report is read like one of a page of the product. */
export const SurveyAnswersInput = Type.Object({
  page: Text('the `page` that came with the page', 300),
  link: Type.Optional(Text('the `link` in the address', 2000)),
  language: Type.Optional(Text('a language such as `pt-BR`', 35)),
  items: Type.Unsafe<Record<string, unknown>[]>({
    ...Type.Array(Type.Object({}, { additionalProperties: true, description: 'a report' })),
    minItems: 1,
    maxItems: MAX_REPORTS,
    description: `a list of 1 to ${MAX_REPORTS} reports`,
  }),
});
export type SurveyAnswersInput = Static<typeof SurveyAnswersInput>;
