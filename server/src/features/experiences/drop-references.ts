import {
  type Document,
  type DroppedReference,
  type ExperienceGoal,
  type Filter,
  listExperienceReferences,
  listGoals,
  listSegmentReferences,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { listCampaignIds, listSegmentIds } from './check-references.ts';
import { experiencesOf } from './queries.ts';
import { loadGoals } from './shared-goals.ts';

type Named = { id: string; name: string };
type NamedTable = 'segments' | 'url_groups' | 'tags' | 'themes';

/**
 * Replaces Environments, Tags and the theme by the ones with the same names in another account. Removes all others, and all
 * Segments and Experiences: the same name does not mean the same users or the same content.
 */
export async function dropReferences(
  ctx: Context,
  there: Context,
  document: Document,
): Promise<{ document: Document; dropped: DroppedReference[] }> {
  const groups = await matchByName(ctx, there, 'url_groups', document.url_group_ids);
  const tags = await matchByName(ctx, there, 'tags', document.tag_ids);
  const themes = await matchByName(ctx, there, 'themes', document.theme_id ? [document.theme_id] : []);
  const segments = await loadNames(ctx, 'segments', [...new Set(listSegmentIds(document))]);
  const campaigns = await loadCampaigns(ctx, [...new Set(listCampaignIds(document))]);
  const goals = await keepGoals(ctx, document);
  const dropped = (type: DroppedReference['type'], rows: readonly Named[]) => rows.map((row) => ({ type, ...row }));
  return {
    document: {
      ...document,
      segment_ids: [],
      excluded_segment_ids: [],
      url_group_ids: groups.ids,
      tag_ids: tags.ids,
      theme_id: themes.ids[0] ?? null,
      goals,
      goal: goals.find(({ primary }) => primary)?.event_name ?? null,
      steps: document.steps.map((step) => ({
        ...step,
        // A rule about other users would lead others elsewhere.
        next: (step.next ?? []).filter(({ when }) => !when || !('filters' in when)),
        buttons: step.buttons.map((button) => ({ ...button, action_campaign_id: null })),
      })),
      ...(document.items && {
        items: document.items.map((item) => ({
          ...item,
          campaign_id: null,
          segment_id: null,
          completed_when: withoutRecords(item.completed_when),
          visible_when: withoutRecords(item.visible_when),
        })),
      }),
    },
    dropped: [
      ...dropped('segment', segments),
      ...dropped('url_group', groups.dropped),
      ...dropped('tag', tags.dropped),
      ...dropped('theme', themes.dropped),
      ...dropped('experience', campaigns),
    ],
  };
}

/** Goals that are events or properties stay, with shared ones as goals of their own. */
async function keepGoals(ctx: Context, document: Document): Promise<ExperienceGoal[]> {
  const all = listGoals(document);
  const shared = await loadGoals(
    ctx,
    all.flatMap(({ goal_id }) => goal_id ?? []),
  );
  const own = all.flatMap((goal) => {
    const row = shared.get(goal.goal_id ?? '');
    if (goal.goal_id === null) return [goal];
    return row ? [{ ...goal, ...row.definition, name: row.name, goal_id: null }] : [];
  });
  const kept = own.filter(({ segment_id, experience_id }) => segment_id === null && experience_id === null);
  const hasPrimary = kept.some(({ primary }) => primary);
  return kept.map((goal, at) => ({ ...goal, primary: hasPrimary ? goal.primary : at === 0 }));
}

/** Conditions that name a Segment, tour or survey are removed, because the others of the list alone mean something else. */
function withoutRecords(filters: Filter[]): Filter[] {
  const names = [...listSegmentReferences(filters, ''), ...listExperienceReferences(filters, '')];
  return names.length > 0 ? [] : filters;
}

async function matchByName(ctx: Context, there: Context, table: NamedTable, ids: readonly string[]) {
  const rows = await loadNames(ctx, table, ids);
  const others = rows.length === 0 ? [] : await namesOf(there, table).execute();
  const find = ({ name }: Named) => others.find((other) => other.name.toLowerCase() === name.toLowerCase());
  return { ids: rows.flatMap((row) => find(row)?.id ?? []), dropped: rows.filter((row) => !find(row)) };
}

async function loadNames(ctx: Context, table: NamedTable, ids: readonly string[]): Promise<Named[]> {
  return ids.length === 0 ? [] : namesOf(ctx, table).where('id', 'in', ids).execute();
}

function namesOf(ctx: Context, table: NamedTable) {
  // The type of one table stands for all: each has these columns.
  return ctx.db
    .selectFrom(table as 'tags')
    .select(['id', 'name'])
    .where('account_id', '=', ctx.account.id)
    .orderBy('id');
}

async function loadCampaigns(ctx: Context, ids: readonly string[]): Promise<Named[]> {
  if (ids.length === 0) return [];
  const rows = await experiencesOf(ctx).where('id', 'in', ids).execute();
  return rows.map(({ id, draft }) => ({ id, name: draft.name }));
}
