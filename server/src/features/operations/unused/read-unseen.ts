import {
  createdAtOf,
  firstIdAt,
  type Millis,
  toTimestamp,
  toTimestampOrNull,
  UNUSED_DAYS,
  type UnusedEntry,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { inState } from '../../experiences/in-state.ts';
import { loadStats, noStats } from '../../experiences/load-stats.ts';
import { experiencesOf } from '../../experiences/queries.ts';

const DAY_MS = 24 * 60 * 60_000;

interface UnseenExperience {
  createdAt: Millis;
  entry: UnusedEntry;
}

/**
 * Reads a page of Experiences that have ended, or that no one has seen lately. An Experience that somebody has changed or published lately
 * is left out, and so is one that waits in Deliveries or is scheduled.
 */
export async function readUnseen(ctx: Context, page: PageParameters): Promise<ListPage<UnseenExperience>> {
  const now = ctx.now();
  const since = now - UNUSED_DAYS * DAY_MS;
  const account = ctx.account.id;
  const query = experiencesOf(ctx)
    .where('archived_at', 'is', null)
    .where(({ or, and, eb, not, exists, selectFrom }) =>
      or([
        inState(eb, 'ended', now),
        and([
          not(inState(eb, 'scheduled', now)),
          // The ID has the time of creation.
          eb('id', '<', firstIdAt(since)),
          eb('updated_at', '<', since),
          or([eb('published_at', 'is', null), eb('published_at', '<', since)]),
          or([eb('next_published_at', 'is', null), eb('next_published_at', '<', since)]),
          ...(['experience_counts', 'imported_totals'] as const).map((table) =>
            not(
              exists(
                // The type of one table stands for both: each has these columns.
                selectFrom(table as 'imported_totals')
                  .select('experience_id')
                  .where('account_id', '=', account)
                  .whereRef('experience_id', '=', 'experiences.id')
                  .where(({ or, eb }) =>
                    or([eb('last_started_at', '>=', since), eb('last_displayed_at', '>=', since)]),
                  ),
              ),
            ),
          ),
          // The last times of these are not known any more.
          not(
            exists(
              selectFrom('experience_counts')
                .select('experience_id')
                .where('account_id', '=', account)
                .whereRef('experience_id', '=', 'experiences.id')
                .where('stale', '>', 0),
            ),
          ),
        ]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .where('deliveries.account_id', '=', account)
            .whereRef('deliveries.model_id', '=', 'experiences.id')
            .where('deliveries.at', 'is', null)
            .where('deliveries.removed_at', 'is', null),
        ),
      ),
    );
  const { rows, cursor } = await listPage(query, page);
  const stats = await loadStats(
    ctx,
    rows.map(({ id }) => id),
  );
  return {
    cursor,
    rows: rows.map(({ id, kind, draft, created_at, updated_at, published_until }) => {
      const { started_count, displayed_count, last_started_at, last_displayed_at } = stats.get(id) ?? noStats;
      const last = Math.max(...[last_started_at, last_displayed_at].map((time) => Date.parse(time ?? '') || 0));
      const hasEnded = published_until !== null && published_until <= now;
      const entry: UnusedEntry = {
        id,
        name: draft.name,
        reason: hasEnded ? 'ended' : started_count + displayed_count === 0 ? 'never_shown' : 'not_shown',
        kind,
        updated_at: toTimestamp(updated_at),
        last_used_at: toTimestampOrNull(last || null),
        size: null,
      };
      return { createdAt: createdAtOf({ id, created_at }), entry };
    }),
  };
}
