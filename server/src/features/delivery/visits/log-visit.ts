import { describeIgnoredReason, type VisitInput } from '@usher/domain';
import { isWatched } from '../../../pages/installation-log.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import type { SavedPageProfile } from './save-page-profile.ts';

/** Records a page load and what of it was not stored, if somebody watches. */
export function logVisit(
  { ctx, host, userAgent }: PageRequest,
  params: VisitInput,
  { account, pageProfile, trust, ignored, now }: SavedPageProfile,
): void {
  if (!isWatched(account, now)) return;
  const sentHash = params.identity_hash || params.uid_hash;
  const messages = [
    ...(sentHash && trust.proof === 'none' ? [wrongHash(trust.canSign)] : []),
    ...ignored.map(({ name, reason }) => `\`${name}\` was not stored: ${describeIgnoredReason(reason)}`),
  ];
  ctx.app.installationLog.add(account.id, {
    kind: 'identify',
    host: host?.host,
    href: params.href,
    profileId: pageProfile.row.id,
    userAgent,
    fields: listFields(params),
    outcome: messages.length > 0 ? 'partly' : 'accepted',
    messages,
  });
}

/** The pages of the account have created too many profiles today, or the disk is nearly full. */
export function logUnsavedVisit({ ctx, account, host, userAgent }: PageRequest, params: VisitInput): void {
  if (!isWatched(account, ctx.now())) return;
  ctx.app.installationLog.add(account.id, {
    kind: 'identify',
    host: host?.host,
    href: params.href,
    uid: params.uid,
    userAgent,
    fields: listFields(params),
    outcome: 'rejected',
    messages: [
      ctx.app.disk.isNearlyFull
        ? 'The user is new, and the disk of the server is nearly full: nothing new is stored'
        : 'The user is new, and unproven pages have created too many users today: send `uid_hash`',
    ],
  });
}

function wrongHash(canSign: boolean): string {
  return canSign
    ? 'The hash does not prove the user: it is wrong or older than 24 hours'
    : 'The hash proves nothing, because the account has no secret to sign with yet';
}

/** The names of what the page sent, never the values. */
function listFields({
  email,
  company,
  company_id,
  company_uid,
  properties,
  uid_hash,
  identity_hash,
}: VisitInput): string[] {
  const named = { uid_hash, identity_hash, email, company: company ?? company_id ?? company_uid };
  const sent = Object.entries(named).flatMap(([name, value]) => (value == null ? [] : [name]));
  return [...sent, ...Object.keys(properties ?? {}).map((name) => `properties.${name}`)];
}
