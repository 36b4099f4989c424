import { decide, isCrawler, listNewExposures, type VisitInput } from '@usher/domain';
import type { JsonBytes } from '../../../pages/json-bytes.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import { recordHostSeen } from '../../../pages/record-host.ts';
import { isWithheld } from '../../../pages/uid-hash.ts';
import { storeExposures } from '../exposures/store-exposures.ts';
import { buildDecisionInput } from './build-decision-input.ts';
import { completeItems } from './complete-items.ts';
import { dropDeliveries } from './drop-deliveries.ts';
import { explainVisit } from './explain-visit.ts';
import { findStreamTicket } from './find-stream-ticket.ts';
import { logUnsavedVisit, logVisit } from './log-visit.ts';
import { parseVisit } from './parse-visit.ts';
import { presentUnsavedVisit, presentVisit } from './present-visit.ts';
import { savePageProfile } from './save-page-profile.ts';

/** Identifies the user of a page, records that the page was loaded, and decides what shows. */
export async function recordVisit(page: PageRequest, params: VisitInput): Promise<JsonBytes> {
  const { ctx, host } = page;
  const visit = parseVisit(page, params);
  if (page.bySecret) return explainVisit(page, visit);

  if (isCrawler(page.userAgent)) {
    ctx.app.counters.pageLoads.count('not_stored');
    return presentUnsavedVisit(page, visit);
  }
  const saved = await savePageProfile(page, visit);
  ctx.app.counters.pageLoads.count(saved ? (saved.isNew ? 'new' : 'known') : 'not_stored');
  if (!saved) {
    logUnsavedVisit(page, params);
    return presentUnsavedVisit(page, visit);
  }
  const { account, pageProfile, trust, ignored, now } = saved;
  for (const { reason } of ignored) ctx.app.pageCounts.add(account.id, reason);
  if (host) await recordHostSeen(ctx, account, host.host);
  if (host && account.recordPaths && !ctx.app.disk.isNearlyFull)
    ctx.app.visitedPaths.add(account.id, host.host, params.href);
  logVisit(page, params, saved);

  const data = await buildDecisionInput(ctx, account, pageProfile, {
    now,
    href: params.href,
    host: host?.host,
    isWithheld: isWithheld(account, trust.proof !== 'none'),
  });
  const exposures = listNewExposures(account, data.input);
  if (exposures.length > 0) await storeExposures(ctx, pageProfile.row, exposures, data.arms);
  const decision = decide(account, data.input);
  await dropDeliveries(ctx, pageProfile, decision.deliveries);
  const done = await completeItems(page, saved, data, decision);
  return presentVisit(visit, saved, data, decision, done, findStreamTicket(page, saved, data, decision));
}
