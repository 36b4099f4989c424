import { findKeyCountProblems, normalizeKey, type PageEventInput, toPageEventItem } from '@usher/domain';
import { invalid } from '../../../errors.ts';
import { isWatched } from '../../../pages/installation-log.ts';
import type { VisitRequest } from '../../../pages/page-request.ts';
import { checkPageProfile } from '../../../pages/visit-token.ts';
import type { Admit } from './find-event-profiles.ts';
import { trackEvent } from './track-event.ts';

export async function trackPageEvent(
  page: VisitRequest,
  params: PageEventInput,
): Promise<{ event: { id: string } | null; starts?: true }> {
  const { ctx, account, visit } = page;
  const problems = findKeyCountProblems('properties', { ...params, ...params.properties });
  if (problems.length > 0) throw invalid(...problems);
  if (ctx.app.disk.isNearlyFull) {
    logEvent(page, params, 'The disk of the server is nearly full: nothing new is stored');
    return { event: null };
  }
  const isLimited = !visit.isProven;
  if (isLimited && !ctx.app.pageCounts.allows(ctx.account.id, 'events')) {
    logEvent(page, params, quotaMessage);
    return { event: null };
  }
  const admit: Admit = (profile) => checkPageProfile(visit, profile);
  const onStored = (bytes: number) =>
    isLimited && ctx.app.pageCounts.addStored(ctx.account.id, 'events', { records: 1, bytes });
  const isDefined = account.pageEvents.some(({ name }) => name === normalizeKey(params.name));
  const sender = { integration: 'browser', source: isDefined ? 'custom' : 'api_js', isUnproven: isLimited } as const;
  const toItem = (problems: string[]) => toPageEventItem(params, visit.profileId, problems, ctx.now());
  const { id, starts } = await trackEvent(ctx, toItem, sender, { admit, onStored });
  logEvent(page, params);
  return { event: { id }, ...(starts && { starts }) };
}

const quotaMessage = 'Unproven pages have sent too many events today: send `uid_hash`';

/** Records an event and why it was not stored, if somebody watches. */
function logEvent(
  { ctx, account, visit, host, userAgent }: VisitRequest,
  params: PageEventInput,
  problem?: string,
): void {
  if (!isWatched(account, ctx.now())) return;
  ctx.app.installationLog.add(account.id, {
    kind: 'event',
    host: host?.host,
    href: params.href,
    profileId: visit.profileId,
    userAgent,
    name: params.name,
    fields: Object.keys(params.properties ?? {}).map((name) => `properties.${name}`),
    outcome: problem === undefined ? 'accepted' : 'rejected',
    messages: problem === undefined ? [] : [problem],
  });
}
