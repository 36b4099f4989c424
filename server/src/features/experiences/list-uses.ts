import {
  type Document,
  type ExperienceKind,
  type ExperienceUses,
  type Filter,
  listDocumentFilters,
  listExperienceReferences,
  listGoals,
} from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { namesExperience, segmentsOf } from '../audience/filters/segments.ts';
import { alertGroupsOf } from '../delivery/alert-groups/queries.ts';
import { limitGroupsOf } from '../delivery/limit-groups/queries.ts';
import { listCampaignIds } from './check-references.ts';
import { checkExperience, experiencesOf } from './queries.ts';
import { currentVersionsOf } from './versions.ts';

/** Lists what starts an Experience, names it or waits for it, so that administrators know what deleting it would break. */
export async function listUses(ctx: Context, kind: ExperienceKind, id: string): Promise<ExperienceUses> {
  await checkExperience(ctx, id, kind);
  const [experiences, deliveries, limitGroups, alertGroups, webhooks, segments] = await Promise.all([
    listStarters(ctx, id),
    countPending(ctx, id),
    limitGroupsOf(ctx).orderBy('id').execute(),
    alertGroupsOf(ctx).orderBy('id').execute(),
    listWebhooks(ctx),
    segmentsOf(ctx).orderBy('id').execute(),
  ]);
  return {
    experiences,
    pending_deliveries: deliveries,
    limit_groups: limitGroups
      .filter((group) => group.experience_ids.includes(id))
      .map(({ id, name }) => ({ id, name })),
    alert_groups: alertGroups
      .filter((group) => group.experience_ids.includes(id))
      .map(({ id, name }) => ({ id, name })),
    webhooks: webhooks
      .filter(({ experience_ids }) => experience_ids.includes(id))
      .map(({ id, uid }) => ({ id, url: uid })),
    segments: segments.filter((segment) => namesExperience(segment, id)).map(({ id, name }) => ({ id, name })),
  };
}

/**
 * Finds the Experiences with a button or an item that starts this one, in their draft or in what users see. The query searches
 * every document, so it uses `heavyDb`, where no other request waits for it.
 */
function listStarters(ctx: Context, id: string): Promise<ExperienceUses['experiences']> {
  return listContaining({ ...ctx, db: ctx.heavyDb }, id, (document) => listCampaignIds(document).includes(id));
}

/** Finds the launchers whose items are completed or visible by a condition that names this Experience. */
export function listNamedInConditions(ctx: Context, id: string): Promise<ExperienceUses['experiences']> {
  const names = ({ filters }: { filters: readonly Filter[] }) =>
    listExperienceReferences(filters, '').some((one) => one.id === id);
  return listContaining(ctx, id, (document) => listDocumentFilters(document).some(names));
}

/** Finds the other Experiences with a goal that is a state of this one. */
export async function listNamedInGoals(ctx: Context, id: string): Promise<ExperienceUses['experiences']> {
  const found = await listContaining(ctx, id, (document) =>
    listGoals(document).some(({ experience_id }) => experience_id === id),
  );
  // The goals of a version are not counted.
  return found.filter(({ published }) => !published);
}

async function listContaining(
  ctx: Context,
  id: string,
  isUse: (document: Document) => boolean,
): Promise<ExperienceUses['experiences']> {
  const { contains } = ctx.dialect.json;
  const rows = await experiencesOf(ctx)
    .where('id', '<>', id)
    .where(contains(sql`cast(draft as text)`, id))
    .orderBy('id')
    .execute();
  const versions = await currentVersionsOf(ctx)
    .select(['experiences.id', 'experiences.kind', 'versions.content'])
    .where('versions.experience_id', '<>', id)
    .where(contains(sql`cast(versions.content as text)`, id))
    .execute();
  const found = new Map<string, ExperienceUses['experiences'][number]>();
  for (const row of rows)
    if (isUse(row.draft)) found.set(row.id, { id: row.id, kind: row.kind, name: row.draft.name, published: false });
  for (const { id: starterId, kind, content } of versions)
    if (isUse(content.document))
      found.set(starterId, { id: starterId, kind, name: content.document.name, published: true });
  return [...found.values()];
}

async function countPending(ctx: Context, id: string): Promise<number> {
  const { count } = await ctx.heavyDb
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', ctx.account.id)
    .where('model_id', '=', id)
    .where('at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function listWebhooks(ctx: Context) {
  return ctx.db
    .selectFrom('webhooks')
    .select(['id', 'uid', 'experience_ids'])
    .where('account_id', '=', ctx.account.id)
    .orderBy('id')
    .execute();
}
