import type { AppContext, Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';
import { contextOf } from '../../../pages/authenticate-page.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { accountIdOfKey } from '../../../pages/survey-key.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';

/** A survey that is live and has a public page. */
export interface OpenSurvey {
  ctx: Context;
  account: PublishedAccount;
  experience: PublishedExperience;
  key: string;
}

/** Finds the survey of a key. The error is the same for a wrong key and for a survey that is not open. `onWrong` is called for a wrong key. */
export async function findSurvey(app: AppContext, key: string, onWrong: () => void): Promise<OpenSurvey> {
  const accountId = accountIdOfKey(key);
  const known = accountId === undefined ? undefined : await app.publishedCache.account(accountId);
  if (!known) {
    onWrong();
    throw notOpen();
  }
  const ctx = contextOf(app, known);
  const account = await currentAccount(ctx, known);
  const id = account.surveyIdOf(key);
  if (id === undefined) onWrong();
  const experience = id === undefined ? undefined : account.experience(id, ctx.now());
  if (!experience?.document.public_page) throw notOpen();
  return { ctx, account, experience, key };
}

export function notOpen(): ApiError {
  return new ApiError(404, ['This survey is not open']);
}

/** The address of the public page, without a link. */
export function surveyPageUrl({ ctx, key }: Pick<OpenSurvey, 'ctx' | 'key'>): string {
  return `${ctx.app.pageUrl}/s/${key}`;
}
