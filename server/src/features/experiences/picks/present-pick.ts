import { type PickOutput, pickStateOf, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PickRow } from '../../../pages/pick-token.ts';

export function presentPick(ctx: Pick<Context, 'now'>, row: PickRow): PickOutput {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    purpose: row.purpose,
    state: pickStateOf(row, ctx.now()),
    experience_id: row.experience_id,
    step_id: row.step_id,
    href: row.href,
    page: row.page,
    result: row.result,
    expires_at: toTimestamp(row.expires_at),
  };
}
