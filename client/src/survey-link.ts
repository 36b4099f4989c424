import { hmacHex } from './hmac.ts';

export interface SurveyLink {
  /** Whose answers come with the link. */
  uid: string;
  /** The user answers once for each: up to 64 letters, digits, `-` and `_`. Without it, once for each link. */
  id?: string;
  /** By default, in 90 days. */
  expiresAt?: Date;
  /** What is chosen on the first scale when the page opens. The user still has to send it. */
  score?: number;
  language?: string;
}

const DEFAULT_MS = 90 * 24 * 60 * 60_000;

/**
 * Signs a link to the public page of a survey, for one user. The secret is the `uid_secret` of the account, and the address is the
 * `public_page_url` of the survey.
 */
export async function surveyLink(
  secret: string,
  pageUrl: string,
  { uid, id = newId(), expiresAt = new Date(Date.now() + DEFAULT_MS), score, language }: SurveyLink,
): Promise<string> {
  const url = new URL(pageUrl);
  const key = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  if (!/^[\w-]{1,64}$/.test(id)) throw new TypeError('The `id` of a link has up to 64 letters, digits, - and _');
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const signature = await hmacHex(secret, ['survey_link', key, uid, id, expires, 'survey_link'].join('\n'));
  url.searchParams.set('link', [toBase64Url(new TextEncoder().encode(uid)), expires, id, signature].join('.'));
  if (score !== undefined) url.searchParams.set('score', String(score));
  if (language !== undefined) url.searchParams.set('lang', language);
  return url.href;
}

function newId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(9)));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
