import {
  CreateExperience,
  compileReader,
  type Document,
  type ExperienceFields,
  kinds,
  parsePicturePath,
  writeDocument,
} from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { invalid } from '../../../../errors.ts';
import { listCampaignIds } from '../../../experiences/check-references.ts';
import { picturesOf } from '../../../experiences/picture-files/store-picture.ts';
import { readParams, readRecords, readText, readTexts } from '../read-record.ts';
import type { SourceExperience } from './read-experiences.ts';
import { readLauncherFields } from './read-launcher-fields.ts';

const readFields = compileReader<ExperienceFields>(CreateExperience);

export interface SourceDocument {
  document: Document;
  /** The document as it was read, without IDs and initial values that were made here. */
  fields: Partial<ExperienceFields>;
  /** Whether a Segment or an Environment is missing, so that more users would see it here. */
  isNarrower: boolean;
}

/**
 * Reads the document of an Experience. What cannot be here is left out.
 */
export async function readDocument(
  ctx: Context,
  { kind, record }: SourceExperience,
  problems: string[],
): Promise<SourceDocument> {
  const params = toParams(record);
  if ('blocked_domains' in kinds[kind].fields) readLauncherFields(params, problems);
  let isNarrower = false;
  for (const [name, table, what] of referenceLists) {
    const wanted = readTexts(params[name]);
    const known = await knownIds(ctx, table, wanted);
    params[name] = wanted.filter((id) => known.has(id));
    const missing = wanted.filter((id) => !known.has(id));
    if (missing.length === 0) continue;
    problems.push(`${what} ${missing.join(', ')} could not be imported, so that it is without`);
    if (table !== 'tags') isNarrower = true;
  }
  if (typeof params.theme_id === 'string' && !(await knownIds(ctx, 'themes', [params.theme_id])).has(params.theme_id)) {
    problems.push('Its theme could not be imported: it has the default one');
    params.theme_id = null;
  }
  await removeGoals(ctx, params, problems);
  await removePictures(ctx, params, problems);
  if (!(await allowsScripts(ctx))) removeScripts(params, problems);
  const found: string[] = [];
  const { published_at: _, ...fields } = readParams(readFields, params, ctx);
  const document = writeDocument(kind, undefined, fields, ctx.newId, found, { acceptsIds: true });
  if (found.length > 0) throw invalid(...found);
  return { document, fields, isNarrower };
}

/** Removes goals that name what is not here. Experiences come one after the other, so a later one is not here yet. */
async function removeGoals(ctx: Context, params: Record<string, unknown>, problems: string[]): Promise<void> {
  const goals = readRecords(params.goals);
  const kept: Record<string, unknown>[] = [];
  for (const goal of goals) {
    const named = [
      ['goals', readText(goal.goal_id)],
      ['segments', readText(goal.segment_id)],
      ['experiences', readText(goal.experience_id)],
    ] as const;
    const missing: string[] = [];
    for (const [table, id] of named) if (id && !(await knownIds(ctx, table, [id])).has(id)) missing.push(id);
    if (missing.length === 0) kept.push(goal);
    else problems.push(`A goal names ${missing.join(', ')}, which is not here: it is without this goal`);
  }
  if (goals.length > 0) Object.assign(params, { goals: kept }, kept.length < goals.length && { goal: undefined });
}

const referenceLists = [
  ['segment_ids', 'segments', 'The Segments'],
  ['excluded_segment_ids', 'segments', 'The excluded Segments'],
  ['url_group_ids', 'url_groups', 'The Environments'],
  ['tag_ids', 'tags', 'The Tags'],
] as const;

async function knownIds(
  ctx: Context,
  table: 'segments' | 'url_groups' | 'tags' | 'themes' | 'goals' | 'experiences',
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await ctx.db
    // The type of one table stands for all: each has these columns.
    .selectFrom(table as 'tags')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Records of some services have the objects instead of their IDs, or one ID instead of a list. */
function toParams(record: Record<string, unknown>): Record<string, unknown> {
  const idsOf = (value: unknown) => readRecords(value).flatMap(({ id }) => readText(id) ?? []);
  const segment = readText(record.segment_id);
  const sort = (parts: unknown) =>
    Array.isArray(parts)
      ? readRecords(parts).toSorted((one, other) => Number(one.position ?? 0) - Number(other.position ?? 0))
      : undefined;
  const [steps, items] = [sort(record.steps), sort(record.items)];
  return {
    ...record,
    segment_ids: Array.isArray(record.segment_ids) ? record.segment_ids : segment === null ? [] : [segment],
    url_group_ids: record.url_group_ids ?? idsOf(record.url_groups),
    tag_ids: record.tag_ids ?? idsOf(record.tags),
    segment_id: undefined,
    url_group_id: undefined,
    tag_id: undefined,
    published_at: undefined,
    ...(steps && {
      steps: steps.map((step) => ({ ...step, ...(sort(step.buttons) && { buttons: sort(step.buttons) }) })),
    }),
    ...(items && { items }),
  };
}

/** The picture of a step must be in the account. A dry run has stored none. */
async function removePictures(ctx: Context, params: Record<string, unknown>, problems: string[]): Promise<void> {
  for (const step of readRecords(params.steps)) {
    if (typeof step.picture !== 'string' || step.picture === '') continue;
    const path = parsePicturePath(step.picture);
    const isCopied = path?.accountId === ctx.account.id;
    if (isCopied && (await picturesOf(ctx).where('hash', '=', path.hash).executeTakeFirst())) continue;
    if (!isCopied) problems.push(`The picture of the step “${readText(step.title) ?? ''}” must be uploaded again`);
    step.picture = null;
  }
}

async function allowsScripts(ctx: Context): Promise<boolean> {
  const account = ctx.db.selectFrom('accounts').select('allow_scripts').where('id', '=', ctx.account.id);
  return (await account.executeTakeFirstOrThrow()).allow_scripts;
}

function removeScripts(params: Record<string, unknown>, problems: string[]): void {
  const steps = readRecords(params.steps);
  const parts = [...steps, ...steps.flatMap(({ buttons }) => readRecords(buttons)), ...readRecords(params.items)];
  for (const part of parts)
    for (const name of ['custom_trigger', 'action_script'])
      if (typeof part[name] === 'string') {
        problems.push(`Its \`${name}\` is left out: the account does not allow scripts`);
        part[name] = null;
      }
}

function withCampaigns(document: Document, keep: (id: string) => boolean): Document {
  const kept = (id: string | null) => (id !== null && keep(id) ? id : null);
  return {
    ...document,
    steps: document.steps.map((step) => ({
      ...step,
      buttons: step.buttons.map((button) => ({ ...button, action_campaign_id: kept(button.action_campaign_id) })),
    })),
    ...(document.items && {
      items: document.items.map((item) => ({ ...item, campaign_id: kept(item.campaign_id) })),
    }),
  };
}

export function withoutCampaigns(document: Document): Document {
  return withCampaigns(document, () => false);
}

export async function withKnownCampaigns(ctx: Context, document: Document, problems: string[]): Promise<Document> {
  const wanted = [...new Set(listCampaignIds(document))];
  const rows =
    wanted.length === 0
      ? []
      : await ctx.db
          .selectFrom('experiences')
          .select('id')
          .where('account_id', '=', ctx.account.id)
          .where('id', 'in', wanted)
          .execute();
  const known = new Set(rows.map(({ id }) => id));
  const missing = wanted.filter((id) => !known.has(id));
  if (missing.length > 0) problems.push(`It leads to Experiences that are not here: ${missing.join(', ')}`);
  return withCampaigns(document, (id) => known.has(id));
}
