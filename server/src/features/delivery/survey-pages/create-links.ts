import { randomBytes } from 'node:crypto';
import { LINK_MS, type SurveyLinks, type SurveyLinksInput, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { signSurveyLink } from '../../../pages/survey-link.ts';
import { publicPageUrl } from '../../experiences/public-page-url.ts';
import { getAnyExperience } from '../../experiences/queries.ts';

/** Signs a link for each of these users. Nothing is stored. */
export async function createLinks(
  ctx: Context,
  { survey_id, uids, link_id, expires_at }: SurveyLinksInput,
): Promise<SurveyLinks> {
  const row = await getAnyExperience(ctx, survey_id);
  const url = publicPageUrl(ctx, row);
  if (row.public_key === null || url === null)
    throw invalid('This survey has no public page yet: set `public_page`, and publish it');
  const expiresAt = expires_at ?? ctx.now() + LINK_MS;
  if (expiresAt <= ctx.now()) throw invalid('`expires_at` must be in the future');
  const { visitKey } = await currentAccount(ctx, ctx.account);
  return uids.map((uid) => {
    const id = link_id ?? randomBytes(9).toString('base64url');
    const link = signSurveyLink(visitKey, row.public_key ?? '', { uid, id, expiresAt });
    return { uid, url: `${url}?link=${link}`, expires_at: toTimestamp(Math.floor(expiresAt / 1000) * 1000) };
  });
}
