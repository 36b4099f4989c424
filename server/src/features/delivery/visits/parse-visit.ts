import { type Browser, type ProfileItem, toBrowser, toVisitProfileItem, type VisitInput } from '@usher/domain';
import { invalid } from '../../../errors.ts';
import type { PageRequest } from '../../../pages/page-request.ts';

/** What a page sends of its user. */
export type PageProfileInput = ProfileItem & { uid: string };

export interface ParsedVisit {
  params: VisitInput;
  input: PageProfileInput;
  browser: Browser;
}

/** Parses what a page load sends of the user and of the browser. */
export function parseVisit({ ctx, bySecret, acceptLanguage }: PageRequest, params: VisitInput): ParsedVisit {
  const problems: string[] = [];
  const input = toVisitProfileItem(params, problems, ctx.now());
  // The header of an administrator says nothing of the language of the user.
  const browser = toBrowser(params, bySecret ? undefined : acceptLanguage, problems);
  if (problems.length > 0) throw invalid(...problems);
  return { params, input, browser };
}
