import { listKindsWith } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { checkExperienceIds } from '../../experiences/ids/check-experience-ids.ts';

/**
 * Rejects everything but tours and surveys. They are locked before any limit group, as when one of them is deleted: so
 * either the deletion finds the group, or the Experience is not found here.
 */
export function checkLimitedExperiences(ctx: Context, ids: readonly string[]): Promise<void> {
  return checkExperienceIds(ctx, ids, { kinds: listKindsWith('isExclusive'), lock: true });
}
