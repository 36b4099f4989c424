import { type Browser, measureRow } from '@usher/domain';
import { ApiError, limited } from '../../../errors.ts';
import { changeProfiles, type PageWriter } from '../../audience/profiles/save-profiles.ts';
import { withPropertyRegistry } from '../../audience/properties/seen.ts';
import { touchPageProfile } from '../visits/touch-page-profile.ts';
import type { OpenSurvey } from './find-survey.ts';

/**
 * How many browsers without a signed link may answer one survey in a day. Who fills it up keeps out others without a link, but neither the
 * pages of the product nor people with a link.
 */
const MAX_BROWSERS_PER_DAY = 10_000;

/** Creates the profile of somebody who answers: of the user that a signed link names, or an anonymous one. */
export async function createRespondent(
  { ctx, account, experience }: OpenSurvey,
  uid: string,
  browser: Browser,
  isProven: boolean,
): Promise<string> {
  const { pageCounts } = ctx.app;
  const counted = `survey ${experience.id}`;
  if (!isProven) {
    const isFull = pageCounts.countToday(account.id, counted) >= MAX_BROWSERS_PER_DAY;
    if (isFull || !pageCounts.hasRoom(account.id, 'profiles'))
      throw limited('survey', 'This survey has had very many answers today: try again tomorrow', MAX_BROWSERS_PER_DAY);
  }
  const trust = { proof: isProven ? 'uid' : 'none', trustPages: false, canSign: true } as const;
  const writer: PageWriter = { trust, isTestUser: account.isTestUser, ignored: [], bytes: 0 };
  const sender = { integration: 'browser', isUnproven: !isProven } as const;
  const id = await withPropertyRegistry(ctx, sender, async (ctx, values) => {
    const [outcome] = await changeProfiles(ctx, [{ uid, custom: {} }], 'create', values, isProven ? undefined : writer);
    if (!outcome || outcome instanceof ApiError) throw outcome ?? new Error('No profile was created');
    // A browser is seen with its answer. A user was not seen in the product.
    if (!isProven) await touchPageProfile(ctx, { uid, now: ctx.now(), ...browser });
    return outcome.id;
  });
  if (!isProven) {
    pageCounts.add(account.id, counted);
    pageCounts.addStored(account.id, 'profiles', { records: 1, bytes: measureRow('profile', { indexed: [uid] }) });
  }
  return id;
}
