import { type EventDefinition, listDefinitionProblems, MAX_PUBLISHED_EVENTS, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { checkMayPublish } from '../../experiences/publish.ts';
import { eventNamesOf } from '../event-names/queries.ts';

/** Checks what pages would get, and lets the next page load find it. Returns the time. Call it with the clock of the account. */
export async function publishEventName(
  ctx: Context,
  { prop, definition }: { prop: string; definition: EventDefinition },
): Promise<Millis> {
  await checkMayPublish(ctx);
  const problems = listDefinitionProblems(definition);
  if (problems.length > 0) throw invalid(...problems);
  const others = await eventNamesOf(ctx)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('published_at', 'is not', null)
    .where('prop', '<>', prop)
    .executeTakeFirstOrThrow();
  if (Number(others.count) >= MAX_PUBLISHED_EVENTS)
    throw invalid(`Pages count at most ${MAX_PUBLISHED_EVENTS} events without code: unpublish one first`);
  await bumpPublishedVersion(ctx);
  return ctx.now();
}

/** How many events of the account are counted without code, also as drafts. */
export async function countCustom(ctx: Context): Promise<{ all: number }> {
  const row = await eventNamesOf(ctx)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('definition', 'is not', null)
    .executeTakeFirstOrThrow();
  return { all: Number(row.count) };
}

/** Rejects Environments that the definition newly names, and that the account does not have. */
export async function checkEnvironments(
  ctx: Context,
  { url_group_ids }: EventDefinition,
  known: readonly string[],
): Promise<void> {
  const added = url_group_ids.filter((id) => !known.includes(id));
  if (added.length === 0) return;
  const rows = await ctx.db
    .selectFrom('url_groups')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', added)
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  const problems = url_group_ids.flatMap((id, at) =>
    added.includes(id) && !found.has(id)
      ? [`\`definition.url_group_ids[${at}]\` is the ID of no Environment in this account`]
      : [],
  );
  if (problems.length > 0) throw new ApiError(404, problems);
}
