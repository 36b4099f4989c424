import { randomBytes } from 'node:crypto';
import {
  ANONYMOUS_PREFIX,
  ANONYMOUS_UID_MESSAGE,
  type Browser,
  isAnonymousUid,
  type ProfileItem,
  toBrowser,
  toVisitProfileItem,
  type VisitInput,
} from '@usher/domain';
import { invalid } from '../../../errors.ts';
import type { PageRequest } from '../../../pages/page-request.ts';

/** What a page sends of its user. */
export type PageProfileInput = ProfileItem & { uid: string };

export interface ParsedVisit {
  params: VisitInput;
  input: PageProfileInput;
  browser: Browser;
  /** Whether the user has not signed in. The uid is the one that an earlier page load returned, or a new one. */
  isAnonymous: boolean;
  /** The uid that the user had before they signed in, if the page still has it. */
  anonymousUid: string | undefined;
}

/** Parses what a page load sends of the user and of the browser. */
export function parseVisit({ ctx, bySecret, acceptLanguage }: PageRequest, params: VisitInput): ParsedVisit {
  const problems: string[] = [];
  const { uid, anonymous_uid } = params;
  const isAnonymous = uid === undefined;
  const anonymousUid = anonymous_uid != null && isAnonymousUid(anonymous_uid) ? anonymous_uid : undefined;
  const ownUid = uid ?? anonymousUid ?? newAnonymousUid();
  const input = toVisitProfileItem({ ...params, uid: ownUid }, problems, ctx.now());
  if (!isAnonymous && isAnonymousUid(uid)) problems.push(`${ANONYMOUS_UID_MESSAGE}: send it as \`anonymous_uid\``);
  // The header of an administrator says nothing of the language of the user.
  const browser = toBrowser(params, bySecret ? undefined : acceptLanguage, problems);
  if (problems.length > 0) throw invalid(...problems);
  return { params, input, browser, isAnonymous, anonymousUid };
}

/** Guessing it would take as long as guessing a key. */
export function newAnonymousUid(): string {
  return `${ANONYMOUS_PREFIX}${randomBytes(16).toString('base64url')}`;
}
