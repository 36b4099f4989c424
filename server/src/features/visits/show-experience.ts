import { reasonAgainst, reasonInWords, type SentShow } from '@usher/domain';
import { currentAccount } from '../../pages/current-account.ts';
import { PageText } from '../../pages/json-bytes.ts';
import type { VisitRequest } from '../../pages/page-request.ts';
import { isWithheld } from '../../pages/uid-hash.ts';
import { notLive } from '../interactions/check-report.ts';
import { load } from './build-decision-input.ts';
import { presentContent, presentLabels } from './present-visit.ts';
import { visitorOf } from './queries.ts';

/** The content of an Experience that a page asks for, or why it does not show. Nothing is recorded. */
export async function showExperience(
  { ctx, account: known, visit, host }: VisitRequest,
  { experience_id: model_id, href, ...asked }: SentShow,
): Promise<PageText> {
  const visitor = await visitorOf(ctx, visit);
  const account = await currentAccount(ctx, known);
  const now = ctx.now();
  const experience = account.experience(model_id, now);
  if (!experience) throw notLive();
  const loaded = await load(ctx, account, visitor, {
    now,
    href,
    host: host?.host,
    isWithheld: isWithheld(account, visit.isProven),
  });
  const reason = reasonAgainst(account, loaded.person, { model_id, ...asked });
  if (reason) return new PageText(JSON.stringify({ experience: null, reason: reasonInWords(reason) }));
  const content = presentContent(experience, visitor, loaded);
  return new PageText(`{"experience":${content},"reason":null`, presentLabels(visitor), '}');
}
