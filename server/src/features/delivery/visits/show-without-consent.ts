import { decide, findExperimentOf, isCrawler, type PageInput } from '@usher/domain';
import { currentAccount } from '../../../pages/current-account.ts';
import { JsonBytes } from '../../../pages/json-bytes.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { buildDecisionInput } from './build-decision-input.ts';
import { newPageProfile } from './new-page-profile.ts';
import { presentContents, presentLabels, presentThemes } from './present-contents.ts';

/** Returns what shows to a user who has not consented. No profile is created, nothing is recorded, and there is no token to report with. */
export async function showWithoutConsent(
  { ctx, account: known, host, acceptLanguage, userAgent }: PageRequest,
  { href }: PageInput,
): Promise<JsonBytes> {
  if (isCrawler(userAgent)) return new JsonBytes('{"experiences":[]}');
  const account = onlyWithoutConsent(await currentAccount(ctx, known));
  const unknown = newPageProfile(ctx, '');
  const [browser_l = null] = acceptLanguage?.split(/[,;]/) ?? [];
  const pageProfile = { ...unknown, row: { ...unknown.row, browser_l } };
  const data = await buildDecisionInput(ctx, account, pageProfile, {
    ...{ now: ctx.now(), href, host: host?.host },
    isWithheld: true,
  });
  const decision = decide(account, data.input);
  const contents = presentContents(decision, pageProfile, data);
  const labels = decision.experiences.length > 0 ? [presentLabels(pageProfile)] : [];
  return new JsonBytes(
    `{"experiences":${contents}`,
    ...labels,
    `${presentThemes(account, decision.experiences, data)}}`,
  );
}

/** The account as if it had only the Experiences that need no personal data. */
function onlyWithoutConsent(account: PublishedAccount): PublishedAccount {
  return {
    ...account,
    // Without a profile, nobody is in an arm or in the holdout.
    holdout: undefined,
    candidates: (page, now) =>
      account
        .candidates(page, now)
        .filter(({ id, document }) => document.without_consent && !findExperimentOf(account, id)),
  };
}
