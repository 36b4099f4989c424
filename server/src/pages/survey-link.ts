import { createHmac, randomBytes } from 'node:crypto';
import { type Millis, signedSurveyLink } from '@usher/domain';
import { type ApiError, forbidden } from '../errors.ts';
import type { PublishedAccount } from '../published/published-account.ts';
import { isSameSignature, signatureOf } from './visit-token.ts';

type Keys = Pick<PublishedAccount, 'visitKey' | 'uidSecret'>;

/** What a signed link says: whose answer it is, once for each `id`. */
interface SurveyLink {
  uid: string;
  id: string;
  expiresAt: Millis;
}

/** As for users of the backend. */
const MAX_UID = 255;

/** Creates the `link` of an address: `<uid>.<time>.<id>.<signature>`. */
export function signSurveyLink(visitKey: string, surveyKey: string, { uid, id, expiresAt }: SurveyLink): string {
  const link = { uid, id, expires: Math.floor(expiresAt / 1000) };
  const parts = [Buffer.from(uid).toString('base64url'), link.expires, id];
  return [...parts, hexOf(visitKey, signedSurveyLink(surveyKey, link))].join('.');
}

/** Reads a signed link. It is signed by this server, or by the customer's backend with its `uid_secret`. */
export function readSurveyLink(
  text: string,
  { visitKey, uidSecret }: Keys,
  surveyKey: string,
  now: Millis,
): SurveyLink {
  const [, encoded = '', seconds, id = '', signature = ''] =
    /^([\w-]{1,1400})\.(\d{1,11})\.([\w-]{1,64})\.([\da-f]{64})$/.exec(text) ?? [];
  const uid = Buffer.from(encoded, 'base64url').toString();
  const signed = signedSurveyLink(surveyKey, { uid, id, expires: Number(seconds) });
  const keys = [visitKey, uidSecret].filter((key) => key !== null);
  if (!keys.some((key) => isSameSignature(signature, hexOf(key, signed)))) throw wrongLink();
  const expiresAt = Number(seconds) * 1000;
  if (uid.length > MAX_UID || uid.includes('\0')) throw wrongLink();
  if (expiresAt <= now) throw forbidden('This link has expired: ask for a new one');
  return { uid, id, expiresAt };
}

function wrongLink(): ApiError {
  return forbidden('This link is not valid: it must be signed for this survey');
}

function hexOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/*
 * A page token says when a public page was opened, and names its browser. Nothing is stored when a page is opened, so the first answer
 * comes with the token, and the page keeps it for the next ones.
 */
const PURPOSE = 'survey_page';
/** A page may stay open this long. */
const MAX_PAGE_MS: Millis = 30 * 24 * 60 * 60_000;

interface SurveyPage {
  openedAt: Millis;
  /** The last part of the anonymous uid of this browser. */
  respondent: string;
  nonce: string;
}

export function signSurveyPage(visitKey: string, surveyKey: string, now: Millis): string {
  const payload = `${PURPOSE}.${now.toString(36)}.${randomBytes(16).toString('base64url')}`;
  return `${payload}.${signatureOf(visitKey, `${payload}.${surveyKey}`)}`;
}

export function readSurveyPage(token: string, visitKey: string, surveyKey: string, now: Millis): SurveyPage {
  const [purpose = '', time = '', nonce = '', signature = '', ...rest] = token.split('.');
  const payload = `${purpose}.${time}.${nonce}`;
  const isSigned = isSameSignature(signature, signatureOf(visitKey, `${payload}.${surveyKey}`));
  const openedAt = Number.parseInt(time, 36);
  if (purpose !== PURPOSE || rest.length > 0 || !isSigned || now - openedAt > MAX_PAGE_MS)
    throw forbidden('This page was opened too long ago: load it again');
  // Nobody who knows the uid, such as a backend, can answer as this browser.
  const respondent = signatureOf(visitKey, `respondent.${nonce}.${surveyKey}`).slice(0, 22);
  return { openedAt, nonce, respondent };
}
