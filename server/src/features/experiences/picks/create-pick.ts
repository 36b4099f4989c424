import { randomBytes, randomInt } from 'node:crypto';
import {
  buildPickAddress,
  buildPickCode,
  type CreatedPick,
  type CreatePick,
  MAX_OPEN_PICKS,
  PICK_WAIT_MS,
  readPickHref,
  withoutPickKey,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { hashPickSecret } from '../../../pages/pick-token.ts';
import { getEventName } from '../../audience/event-names/queries.ts';
import { getProfile } from '../../audience/profiles/queries.ts';
import { findHostProblem } from '../../delivery/visits/find-host-problem.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { getAnyExperience } from '../queries.ts';
import { getTheme } from '../themes/queries.ts';
import { presentPick } from './present-pick.ts';

/** Makes a pick for one page. Its key and its code are returned once, and only their hashes are stored. */
export async function createPick(ctx: Context, { href, ...params }: CreatePick): Promise<CreatedPick> {
  const { purpose, step_id = null } = params;
  const target = await findTarget(ctx, params);
  const profile_id = await findProfileId(ctx, params);
  const host = await findHost(ctx, href);
  const key = randomBytes(16).toString('base64url');
  const code = buildPickCode((limit) => randomInt(limit));
  const row = await ctx.transaction(async (ctx) => {
    await endOldest(ctx);
    const row = await ctx.db
      .insertInto('picks')
      .values({
        ...{ account_id: ctx.account.id, id: ctx.newId(), admin_id: ctx.actor.id },
        ...{
          purpose,
          experience_id: target.id,
          theme_id: target.themeId,
          step_id,
          profile_id,
          host,
          href: withoutPickKey(href),
        },
        ...{ key_hash: hashPickSecret(key), code_hash: hashPickSecret(code) },
        expires_at: ctx.now() + PICK_WAIT_MS,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'pick.create', { type: target.type, id: target.id }, { purpose, host });
    return row;
  });
  return { ...presentPick(ctx, row), address: buildPickAddress(href, key), code };
}

/** Finds what the pick is for: an Experience, with the draft of a theme if one is tried on it, or a theme. */
async function findTarget(
  ctx: Context,
  { purpose, experience_id, theme_id, event_name_id, step_id }: Omit<CreatePick, 'href'>,
): Promise<{ type: string; id: string; themeId: string | null }> {
  const event = event_name_id === undefined ? undefined : await getEventName(ctx, event_name_id);
  if ((purpose === 'event') !== (event !== undefined))
    throw invalid('Give `event_name_id` for `purpose` = `event`, and only for that');
  if (event) {
    if (!event.definition || experience_id !== undefined || theme_id !== undefined || step_id !== undefined)
      throw invalid('`event_name_id` must be an event without code, and stand alone');
    return { type: 'event_name', id: event.id, themeId: null };
  }
  const theme = theme_id === undefined ? undefined : await getTheme(ctx, theme_id);
  const experience = experience_id === undefined ? undefined : await getAnyExperience(ctx, experience_id);
  if (purpose === 'theme') {
    if (theme && !experience && step_id === undefined) return { type: 'theme', id: theme.id, themeId: null };
    throw invalid('Give `theme_id` for `purpose` = `theme`, without `experience_id` and `step_id`');
  }
  if (!experience) throw invalid('Give `experience_id`');
  if (theme && purpose !== 'try') throw invalid('`theme_id` is for `purpose` = `theme` or `try`');
  const { id, kind, draft } = experience;
  if (step_id !== undefined && !draft.steps.some((step) => step.id === step_id)) throw notFound('step');
  return { type: kind, id, themeId: theme?.id ?? null };
}

async function findProfileId(
  ctx: Context,
  { purpose, profile_id, uid }: Omit<CreatePick, 'href'>,
): Promise<string | null> {
  if (profile_id === undefined && uid === undefined) return null;
  const profile = await getProfile(ctx, {
    ...(profile_id !== undefined && { id: profile_id }),
    ...(uid !== undefined && { uid }),
  });
  if (purpose !== 'try')
    throw invalid('`profile_id` and `uid` are for `purpose` = `try`: leave them out to pick an element');
  return profile.id;
}

/** Rejects a page that could not open the pick. */
async function findHost(ctx: Context, href: string): Promise<string> {
  const found = readPickHref(href);
  if ('problem' in found) throw invalid(`\`href\` ${found.problem}`);
  const problem = findHostProblem(await currentAccount(ctx, ctx.account), found.host);
  if (problem !== undefined) throw invalid(`\`href\` is on a host that is not on: ${problem}`);
  return found.host.host;
}

/** Ends the oldest pick of the administrator, if there is no room for another. */
async function endOldest(ctx: Context): Promise<void> {
  const now = ctx.now();
  const open = await ctx.db
    .selectFrom('picks')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('admin_id', '=', ctx.actor.id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute();
  const ids = open.slice(MAX_OPEN_PICKS - 1).map(({ id }) => id);
  if (ids.length === 0) return;
  await ctx.db
    .updateTable('picks')
    .set({ ended_at: now })
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
}
