import { type PageLooks, type PickOutput, type PickResult, pickStateOf, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PickRow } from '../../../pages/pick-token.ts';

export function presentPick(ctx: Pick<Context, 'now'>, row: PickRow): PickOutput {
  const isTheme = row.purpose === 'theme';
  const isEvent = row.purpose === 'event';
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    purpose: row.purpose,
    state: pickStateOf(row, ctx.now()),
    experience_id: isTheme || isEvent ? null : row.experience_id,
    theme_id: isTheme ? row.experience_id : row.theme_id,
    event_name_id: isEvent ? row.experience_id : null,
    step_id: row.step_id,
    href: row.href,
    page: row.page,
    result: isTheme ? null : (row.result as PickResult | null),
    looks: isTheme ? (row.result as PageLooks | null) : null,
    expires_at: toTimestamp(row.expires_at),
  };
}
