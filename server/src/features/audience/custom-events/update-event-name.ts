import { type EventDefinition, type EventName, keysOf, type UpdateEventName } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { checkMayPublish } from '../../experiences/publish.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentEventName } from '../event-names/present-event-name.ts';
import type { EventNameRow } from '../event-names/queries.ts';
import { nameById } from '../properties/update-name.ts';
import { checkEnvironments, publishEventName } from './custom-events.ts';

/** Changes the name of an event. Its `uid` never changes, because data is stored under it. */
export async function updateEventName(ctx: Context, id: string, params: UpdateEventName): Promise<EventName> {
  return ctx.transaction(async (ctx) => {
    // Publishing takes the clock of the account, which transactions take before the rows of names.
    await ctx.clock();
    const before = await ctx.dialect.lockRows(nameById(ctx, ['event_name'], id)).executeTakeFirst();
    if (!before) throw notFound('Event Name');
    const { definition: given, published_at, ...texts } = params;
    const isTexts = keysOf(texts).some((key) => before[key] !== texts[key]);
    const { columns, isLive } = await changePublished(ctx, before, { given, published_at });
    if (!isTexts && !columns) return presentEventName(ctx, before);
    const row = await ctx.db
      .updateTable('properties')
      // What an administrator has changed does not make room for new names.
      .set({ ...texts, ...columns, unproven: null, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (columns) await recordPublishing(ctx, before, row, isLive);
    return presentEventName(ctx, row);
  });
}

interface Wanted {
  given: UpdateEventName['definition'];
  published_at: UpdateEventName['published_at'];
}

/** What changes of the definition, and whether pages get it. Undefined if nothing of it changes. */
async function changePublished(ctx: Context, before: EventNameRow, { given, published_at }: Wanted) {
  const isGiven = given !== undefined || (published_at !== undefined && published_at !== null);
  if (!before.definition) {
    if (isGiven) throw invalid('`definition` and `published_at` are for events without code: create another one');
    return { isLive: false };
  }
  const definition: EventDefinition = { ...before.definition, ...given };
  const isChanged = JSON.stringify(definition) !== JSON.stringify(before.definition);
  const wasLive = before.published_at !== null;
  const isLive = published_at === undefined ? wasLive : published_at !== null;
  if (!isChanged && isLive === wasLive) return { isLive };
  await checkEnvironments(ctx, definition, before.definition.url_group_ids);
  const at = isLive ? await publishEventName(ctx, { prop: before.prop, definition }) : null;
  if (wasLive && !isLive) {
    await checkMayPublish(ctx);
    await bumpPublishedVersion(ctx);
  }
  const since = wasLive && isLive ? before.published_at : at;
  return { isLive, columns: { definition: JSON.stringify(definition), published_at: since } };
}

async function recordPublishing(
  ctx: Context,
  before: EventNameRow,
  { id, name, published_at }: EventNameRow,
  isLive: boolean,
): Promise<void> {
  const wasLive = before.published_at !== null;
  if (!wasLive && !isLive) return;
  const action = wasLive && isLive ? 'update' : published_at === null ? 'unpublish' : 'publish';
  await recordAudit(ctx, `event_name.${action}`, { type: 'event_name', id }, { name });
}
