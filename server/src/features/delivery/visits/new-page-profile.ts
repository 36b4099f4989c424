import { drawPercent, timeOfId } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { initialRow } from '../../../db/page-profile/columns.ts';
import { noInteractions, type PageProfile } from '../../../db/page-profile/page-profile.ts';

/** A user who was never seen. Nothing is stored. */
export function newPageProfile(ctx: Context, uid: string): PageProfile {
  const id = ctx.newId();
  return {
    row: { ...initialRow(), id, updated_at: timeOfId(id), uid, percent: drawPercent() },
    company: undefined,
    interactions: noInteractions,
  };
}
