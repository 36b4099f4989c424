import {
  MAX_WEBHOOKS,
  parseExperienceIds,
  problemOfHeaderName,
  problemOfTarget,
  webhookExperienceKinds,
} from '@usher/domain';
import type { Context } from '../context.ts';
import { conflict, invalid } from '../errors.ts';
import { checkExperienceIds } from '../features/experiences/ids/check-experience-ids.ts';
import { type WebhookRow, webhooksOf } from './queries.ts';

/** Rejects an address that requests must not be sent to. */
export function checkAddress(ctx: Context, url: string): void {
  const { allowNetworks, denyNetworks } = ctx.app.webhooks;
  const problem = problemOfTarget(url, allowNetworks, { denied: denyNetworks, ownUrl: ctx.app.publicUrl });
  if (problem !== undefined) throw invalid(`\`url\` ${problem}`);
}

/** Rejects further headers that would replace another header, or each other. */
export function checkHeaders({
  id_header = null,
  signature_header = null,
}: {
  id_header?: string | null | undefined;
  signature_header?: string | null | undefined;
}): void {
  for (const [param, name] of Object.entries({ id_header, signature_header })) {
    const problem = name === null ? undefined : problemOfHeaderName(name);
    if (problem !== undefined) throw invalid(`\`${param}\` ${problem}`);
  }
  if (id_header !== null && id_header.toLowerCase() === signature_header?.toLowerCase())
    throw invalid('`signature_header` must be another name than `id_header`');
}

/** Rejects one webhook too many, and an address that is already used. Transactions that write webhooks run one after the other. */
export async function checkOtherWebhooks(ctx: Context, uid: string, ownId?: string): Promise<void> {
  const others = (await webhooksOf(ctx).execute()).filter(({ id }) => id !== ownId);
  if (others.some((other) => other.uid === uid)) throw conflict('There is a webhook with this `url` already');
  if (ownId === undefined && others.length >= MAX_WEBHOOKS)
    throw conflict(`There are ${MAX_WEBHOOKS} webhooks already: delete one of them first`);
}

/** Reads the IDs in `experience_ids` or `experience_id`. Returns undefined if both are missing. */
export function readExperienceIds(params: Parameters<typeof parseExperienceIds>[0]): string[] | undefined {
  const ids = parseExperienceIds(params);
  if (ids && 'problem' in ids) throw invalid(ids.problem);
  return ids;
}

/** Rejects Experiences that have no webhook events. */
export function checkWebhookExperiences(
  ctx: Context,
  ids: readonly string[],
  known: readonly string[] = [],
): Promise<void> {
  return checkExperienceIds(ctx, ids, { kinds: webhookExperienceKinds, known });
}

/** Rejects requests to a disabled webhook: nothing would be sent before somebody enables it. */
export function checkEnabled({ enabled }: WebhookRow): void {
  if (!enabled) throw conflict('This webhook is disabled: set `enabled` to true first');
}
