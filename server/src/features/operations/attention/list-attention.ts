import { type AttentionEntry, hasPermission, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { webhooksOf } from '../../../webhooks/queries.ts';
import { findSendingPause } from '../../../webhooks/sending/paused.ts';
import { secretsOf } from '../../team/secrets/queries.ts';
import { findFailingTargets } from './find-failing-targets.ts';
import { findNowhere } from './find-nowhere.ts';
import { findQuietExperiences } from './find-quiet-experiences.ts';
import { findReachedQuotas } from './find-reached-quotas.ts';
import { findWaitingProposals } from './find-waiting-proposals.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * How long before its expiry a secret is listed, and how long after it. A secret that was not replaced by then is
 * not needed any more.
 */
const BEFORE_EXPIRY_MS = 14 * DAY_MS;
const AFTER_EXPIRY_MS = 30 * DAY_MS;
const MAX_OF_EACH = 20;
/** The limit is high, because the dashboard marks each of these Experiences in its lists. */
const MAX_NOWHERE = 200;

/**
 * Lists what does not work, or soon will not. Errors come first, then the rest, the latest first. Only owners see
 * secrets.
 */
export async function listAttention(ctx: Context): Promise<AttentionEntry[]> {
  const isOwner = hasPermission({ role: ctx.actor.role, scope: ctx.actor.secret?.scope }, 'own');
  const lists = await Promise.all([
    findFailingTargets(ctx, MAX_OF_EACH),
    findNowhere(ctx, MAX_NOWHERE),
    findQuietExperiences(ctx, MAX_OF_EACH),
    findFailingWebhooks(ctx),
    isOwner ? findExpiringSecrets(ctx) : [],
    findWaitingProposals(ctx),
    findReachedQuotas(ctx),
    findSendingPaused(ctx),
    findDiskNearlyFull(ctx),
  ]);
  return lists.flat().sort(byUrgency);
}

function byUrgency(one: AttentionEntry, other: AttentionEntry): number {
  if (one.severity !== other.severity) return one.severity === 'error' ? -1 : 1;
  return one.since < other.since ? 1 : -1;
}

/** A webhook that somebody has turned off while it worked needs no attention. */
async function findFailingWebhooks(ctx: Context): Promise<AttentionEntry[]> {
  const rows = await webhooksOf(ctx)
    .where('failing_since', 'is not', null)
    .orderBy('failing_since', 'desc')
    .limit(MAX_OF_EACH)
    .execute();
  return rows.map(({ id, name, uid, enabled, failing_since }) => ({
    type: enabled ? 'webhook_failing' : 'webhook_disabled',
    severity: 'error',
    since: toTimestamp(failing_since ?? 0),
    count: null,
    target: { type: 'webhook', id, name: name || uid },
    step: null,
  }));
}

/** Returns nothing for an account that has nothing to send. */
async function findSendingPaused(ctx: Context): Promise<AttentionEntry[]> {
  const pause = await findSendingPause(ctx.app.storage);
  if (!pause || !(await webhooksOf(ctx).where('enabled', '=', true).limit(1).executeTakeFirst())) return [];
  const { at, reason } = pause;
  const target = { type: 'webhook', id: null, name: reason } as const;
  return [{ type: 'sending_paused', severity: 'warning', since: toTimestamp(at), count: null, target, step: null }];
}

function findDiskNearlyFull({ app: { disk } }: Context): AttentionEntry[] {
  const since = disk.nearlyFullSince;
  if (since === null) return [];
  const target = { type: 'server', id: null, name: '' } as const;
  return [{ type: 'disk_nearly_full', severity: 'error', since: toTimestamp(since), count: null, target, step: null }];
}

async function findExpiringSecrets(ctx: Context): Promise<AttentionEntry[]> {
  const now = ctx.now();
  const rows = await secretsOf(ctx)
    .where('expires_at', '>', now - AFTER_EXPIRY_MS)
    .where('expires_at', '<=', now + BEFORE_EXPIRY_MS)
    .orderBy('expires_at')
    .limit(MAX_OF_EACH)
    .execute();
  return rows.map(({ id, name, expires_at }) => {
    const isExpired = (expires_at ?? 0) <= now;
    return {
      type: isExpired ? 'secret_expired' : 'secret_expiring',
      severity: isExpired ? 'error' : 'warning',
      since: toTimestamp(expires_at ?? 0),
      count: null,
      target: { type: 'secret', id, name },
      step: null,
    };
  });
}
