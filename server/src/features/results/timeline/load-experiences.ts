import type { Document, ExperienceKind } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Moment } from './moments.ts';

export interface KnownExperience {
  /** Null if the Experience is deleted. */
  kind: ExperienceKind | null;
  /** The last name of the Experience. */
  name: string | null;
  isDeleted: boolean;
  /** The texts of the steps of a survey that was answered, and the titles of the items of a checklist. */
  questions: ReadonlyMap<string, string>;
}

const none: ReadonlyMap<string, string> = new Map();

/** Loads what entries show of their Experiences, which may be archived or deleted. */
export async function loadExperiences(ctx: Context, moments: readonly Moment[]): Promise<Map<string, KnownExperience>> {
  const idsOf = (of: readonly Moment[]) => [...new Set(of.flatMap(({ experience }) => experience?.id ?? []))];
  const ids = idsOf(moments);
  const answered = new Set(idsOf(moments.filter(({ kind }) => kind === 'answered' || kind === 'item_completed')));
  const [current, questions] = await Promise.all([loadNames(ctx, ids), loadQuestions(ctx, [...answered])]);
  const deleted = await loadDeletedNames(
    ctx,
    ids.filter((id) => !current.has(id)),
  );
  return new Map(
    ids.map((id) => {
      const { kind = null, name = deleted.get(id) ?? null } = current.get(id) ?? {};
      return [id, { kind, name, isDeleted: !current.has(id), questions: questions.get(id) ?? none }];
    }),
  );
}

async function loadNames(ctx: Context, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { kind: ExperienceKind; name: string }>();
  const rows = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'kind', ctx.dialect.json.text(sql.ref('draft'), ['name']).as('name')])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, kind, name }) => [id, { kind, name }]));
}

/** Only surveys that were answered, and checklists with completed items, need their drafts, which may be large. */
async function loadQuestions(ctx: Context, ids: readonly string[]): Promise<Map<string, Map<string, string>>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'draft'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, draft }) => [id, textsOf(draft)]));
}

function textsOf({ steps, items = [] }: Document): Map<string, string> {
  return new Map([
    ...steps.map(({ id, title, body }) => [id, title || body || ''] as const),
    ...items.map(({ id, title }) => [id, title ?? ''] as const),
  ]);
}

/** The Change that deleted an Experience still has its name. */
async function loadDeletedNames(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('changes')
    .select(['experience_id', 'object'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', [...ids])
    .whereRef('model_id', '=', 'experience_id')
    .where('op', '=', 'destroy')
    .execute();
  return new Map(
    rows.flatMap(({ experience_id, object: { name } }) => (typeof name === 'string' ? [[experience_id, name]] : [])),
  );
}
