import {
  type CreateEventName,
  type EventName,
  emptyEventDefinition,
  MAX_CUSTOM_EVENTS,
  normalizeKey,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentEventName } from '../event-names/present-event-name.ts';
import { checkEnvironments, countCustom, publishEventName } from './custom-events.ts';

/** Makes an event that is counted without code. Other names are registered with their first event. */
export async function createEventName(
  ctx: Context,
  { name, description = null, definition: given, published_at = null }: CreateEventName,
): Promise<EventName> {
  const prop = normalizeKey(name);
  if (!/[\p{L}\p{N}]/u.test(prop)) throw invalid('`name` must have at least one letter or digit');
  const definition = { ...emptyEventDefinition(given.kind), ...given };
  return ctx.transaction(async (ctx) => {
    await checkEnvironments(ctx, definition, []);
    const clock = await ctx.clock();
    if ((await countCustom(ctx)).all >= MAX_CUSTOM_EVENTS)
      throw invalid(`An account has at most ${MAX_CUSTOM_EVENTS} events without code: delete one first`);
    const published = published_at === null ? null : await publishEventName(ctx, { prop, definition });
    const row = await ctx.db
      .insertInto('properties')
      .values({
        ...{ ...clock.newRow(), name, description, kind: 'event_name', prop, types: '[]', samples: '[]' },
        ...{ definition: JSON.stringify(definition), published_at: published },
      })
      .onConflict((taken) => taken.columns(['account_id', 'kind', 'prop']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw conflict(`There is an event \`${prop}\` already: choose another name`);
    if (published !== null) await recordAudit(ctx, 'event_name.publish', { type: 'event_name', id: row.id }, { name });
    return presentEventName(ctx, row);
  });
}
