import { createHmac } from 'node:crypto';
import { type Arm, type Millis, pickVariant, type RunningExperiment } from '@usher/domain';
import type { PublishedAccount } from '../../../published/published-account.ts';

export interface Assigned {
  id: string;
  last_cleared_at: Millis | null;
}

/** Where a user stands in something that is drawn: uniform from 0 to 1, always the same, and unknown without the key of the account. */
function drawPosition(
  { visitKey }: Pick<PublishedAccount, 'visitKey'>,
  what: string,
  { id, last_cleared_at }: Assigned,
) {
  const text = `${what} ${id} ${last_cleared_at ?? ''}`;
  return createHmac('sha256', visitKey).update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** The arm of a user who is not exposed yet. A user who was cleared is a new one. */
export function chooseArm(
  account: Pick<PublishedAccount, 'visitKey'>,
  { id, variants }: RunningExperiment,
  profile: Assigned,
): Arm {
  const variant = pickVariant(variants, drawPosition(account, `experiment ${id}`, profile));
  if (!variant) throw new Error(`The experiment ${id} has no variant with a share`);
  return { variant, exposedAt: null };
}

/** Until when a user is in the holdout of the account; undefined if the user is not. */
export function findHoldout(
  account: Pick<PublishedAccount, 'visitKey' | 'holdout'>,
  profile: Assigned,
  now: Millis,
): Millis | undefined {
  const { holdout } = account;
  if (!holdout || now >= holdout.until) return undefined;
  // Another holdout draws other users.
  return drawPosition(account, `holdout ${holdout.from}`, profile) < holdout.share / 100 ? holdout.until : undefined;
}
