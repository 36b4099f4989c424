import { findReasonAgainst, pageReasons, reasonCodeOf, type ShowInput } from '@usher/domain';
import { currentAccount } from '../../../pages/current-account.ts';
import { JsonBytes } from '../../../pages/json-bytes.ts';
import type { VisitRequest } from '../../../pages/page-request.ts';
import { isWithheld } from '../../../pages/uid-hash.ts';
import { notLive } from '../interactions/check-report.ts';
import { buildDecisionInput } from './build-decision-input.ts';
import { findPageProfileOf } from './find-page-profile.ts';
import { presentContent, presentLabels, presentThemes } from './present-contents.ts';

/** Returns the content of an Experience that a page requests, or why it does not show. Nothing is recorded. */
export async function showExperience(
  { ctx, account: known, visit, host }: VisitRequest,
  { experience_id: model_id, href, ...options }: ShowInput,
): Promise<JsonBytes> {
  const pageProfile = await findPageProfileOf(ctx, visit);
  const account = await currentAccount(ctx, known);
  const now = ctx.now();
  const experience = account.experience(model_id, now);
  if (!experience) throw notLive();
  const data = await buildDecisionInput(ctx, account, pageProfile, {
    now,
    href,
    host: host?.host,
    isWithheld: isWithheld(account, visit.isProven),
  });
  const reason = findReasonAgainst(account, data.input, { model_id, ...options });
  if (reason) {
    const reason_code = reasonCodeOf(reason);
    return new JsonBytes(JSON.stringify({ experience: null, reason: pageReasons[reason_code], reason_code }));
  }
  const content = presentContent(experience, pageProfile, data);
  const themes = presentThemes(account, [experience], data);
  return new JsonBytes(`{"experience":${content},"reason":null`, presentLabels(pageProfile), `${themes}}`);
}
