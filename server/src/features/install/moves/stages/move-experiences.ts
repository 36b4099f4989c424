import {
  CreateExperience,
  compileReader,
  type Document,
  type ExperienceFields,
  isRecord,
  pathOfKind,
  readTranslationFile,
  writeDocument,
} from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { invalid } from '../../../../errors.ts';
import { listCampaignIds } from '../../../experiences/check-references.ts';
import { lockExperience } from '../../../experiences/queries.ts';
import { insertExperience, storeDraft } from '../../../experiences/store-drafts.ts';
import { applyFile } from '../../../translations/apply-file.ts';
import { insertLanguage } from '../../../translations/languages/queries.ts';
import { contextAt } from '../../sample-data/context-at.ts';
import { contextFor, stamp, timesOf } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readParams, readRecords, readText, readTexts, readTime } from '../read-record.ts';
import { publishMoved } from './publish-moved.ts';
import { readExperiences, readFileBody, type SourceExperience } from './read-experiences.ts';

const readFields = compileReader<ExperienceFields>(CreateExperience);

/** The Experiences are read once in each run. */
function experiencesOf(run: MoveRun): Promise<SourceExperience[]> {
  run.experiences ??= readExperiences(run);
  return run.experiences;
}

/**
 * Creates drafts. Buttons and items get the Experiences that they lead to when all are here. An Experience that is here already stays as it
 * is: somebody may have worked on it.
 */
export async function moveExperiences(run: MoveRun): Promise<void> {
  const experiences = await experiencesOf(run);
  const progress = run.begin('experiences');
  progress.total = experiences.length;
  for (const source of experiences)
    await run.storeOne(source.record.id, async (ctx, problems) => {
      if (await isHere(ctx, source.record.id)) return false;
      const { document } = await readDocument(ctx, source, problems);
      await keepingTagTimes(ctx, document.tag_ids, () =>
        insertExperience(contextFor(ctx, source.record), withoutCampaigns(document)),
      );
      if (source.isFromTexts) await storeUnplaced(ctx, source.record.id, document);
      run.progress.unfinished = [...run.progress.unfinished, source.record.id];
      return true;
    });
  await run.finish();
}

/** The `last_seen_at` of Tags came with the Tags. */
async function keepingTagTimes(ctx: Context, ids: readonly string[], work: () => Promise<unknown>): Promise<void> {
  const tags = ctx.db.selectFrom('tags').select(['id', 'last_seen_at']).where('account_id', '=', ctx.account.id);
  const before = ids.length === 0 ? [] : await tags.where('id', 'in', ids).execute();
  await work();
  for (const { id, last_seen_at } of before)
    if (last_seen_at !== null)
      await ctx.db
        .updateTable('tags')
        .set({ last_seen_at })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
}

/** Applies the translation files of the new Experiences. */
export async function moveTranslations(run: MoveRun): Promise<void> {
  run.begin('translations');
  const fresh = new Set(run.progress.unfinished);
  const paths = [...new Set((await experiencesOf(run)).map(({ kind }) => kind))];
  const codes = new Set<string>();
  for (const kind of paths) {
    const body = await readFileBody(run, pathOfKind(kind), 'default');
    for (const code of readTexts(isRecord(body?.language) ? body.language.options : [])) codes.add(code);
  }
  codes.delete('default');
  for (const code of codes) await run.storeOne(code, async (ctx) => (await insertLanguage(ctx, code)) !== undefined);
  for (const kind of paths)
    for (const code of codes) {
      const body = await readFileBody(run, pathOfKind(kind), code);
      if (!body) {
        await run.storeOne(`${code} ${kind}`, async (_ctx, problems) => {
          problems.push(`The other service does not give the ${code} texts of its ${pathOfKind(kind)}`);
          return false;
        });
        continue;
      }
      for (const experience of readRecords(body.experiences)) {
        const id = readText(experience.id) ?? '';
        if (fresh.has(id)) await run.storeOne(`${code} ${id}`, (ctx) => applyTranslations(ctx, code, experience));
      }
    }
  await run.finish();
}

async function applyTranslations(ctx: Context, code: string, experience: Record<string, unknown>): Promise<boolean> {
  const problems: string[] = [];
  const file = readTranslationFile({ id: experience.id, language: { code }, experiences: [experience] }, problems);
  if (!file || problems.length > 0) throw invalid(...problems);
  return (await applyFile(ctx, file, false)).updated > 0;
}

/** Completes the new Experiences: with the Experiences that they lead to, and published if they were. */
export async function movePublishing(run: MoveRun): Promise<void> {
  const experiences = await experiencesOf(run);
  const progress = run.begin('publishing');
  progress.total = progress.done + run.progress.unfinished.length;
  const live = new Set(experiences.filter(({ record }) => record.published_at).map(({ record }) => record.id));
  for (const source of experiences.filter(({ record }) => run.progress.unfinished.includes(record.id))) {
    const { kind, record } = source;
    const problems: string[] = [];
    await run.storeOne(record.id, async (ctx, added) => {
      const { document, isNarrower } = await readDocument(ctx, source, problems);
      added.push(...problems);
      const then = contextAt(ctx, timesOf(record).createdAt);
      const row = await lockExperience(then, kind, record.id);
      const stored = await storeDraft(then, row, {
        ...(await withKnownCampaigns(ctx, document, added)),
        published_at: null,
      });
      const publishedAt = readTime(record.published_at);
      if (publishedAt !== null) {
        const reason = whyNotPublished(source, isNarrower);
        added.push(...(reason ? [reason] : await publishMoved(ctx, stored, publishedAt, live)));
      }
      await stamp(ctx, 'experiences', record);
      run.progress.unfinished = run.progress.unfinished.filter((id) => id !== record.id);
      return true;
    });
  }
  await run.finish();
}

function whyNotPublished({ record, isFromTexts }: SourceExperience, isNarrower: boolean): string | undefined {
  if (isFromTexts)
    return 'It is live there. Here it is a draft of its texts: give its steps their places, then publish it';
  if (isNarrower)
    return 'It is live there. Here it is a draft, because more users would see it: check its targeting, then publish it';
  if (record.has_unpublished_changes === true)
    return 'It is live there, with changes that are not published: check the draft, then publish it';
  return undefined;
}

/**
 * Reads the document of an Experience. What cannot be here is left out. `isNarrower` says that a Segment or an Environment is missing, so
 * that more users would see it here.
 */
async function readDocument(
  ctx: Context,
  { kind, record }: SourceExperience,
  problems: string[],
): Promise<{ document: Document; isNarrower: boolean }> {
  const params = { ...toParams(record) };
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
  removePictures(params, problems);
  if (!(await allowsScripts(ctx))) removeScripts(params, problems);
  const found: string[] = [];
  const { published_at: _, ...fields } = readParams(readFields, params, ctx);
  const document = writeDocument(kind, undefined, fields, ctx.newId, found, { acceptsIds: true });
  if (found.length > 0) throw invalid(...found);
  return { document, isNarrower };
}

const referenceLists = [
  ['segment_ids', 'segments', 'The Segments'],
  ['excluded_segment_ids', 'segments', 'The excluded Segments'],
  ['url_group_ids', 'url_groups', 'The Environments'],
  ['tag_ids', 'tags', 'The Tags'],
] as const;

async function knownIds(
  ctx: Context,
  table: 'segments' | 'url_groups' | 'tags' | 'themes',
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

/** The files of pictures belong to an account. */
function removePictures(params: Record<string, unknown>, problems: string[]): void {
  for (const step of readRecords(params.steps))
    if (typeof step.picture === 'string' && step.picture !== '') {
      problems.push(`The picture of the step “${readText(step.title) ?? ''}” must be uploaded again`);
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

function withoutCampaigns(document: Document): Document {
  return withCampaigns(document, () => false);
}

async function withKnownCampaigns(ctx: Context, document: Document, problems: string[]): Promise<Document> {
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

async function isHere(ctx: Context, id: string): Promise<boolean> {
  const rows = ctx.db.selectFrom('experiences').select('id').where('account_id', '=', ctx.account.id);
  return (await rows.where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** The steps are in a work list until they have their place. */
async function storeUnplaced(ctx: Context, experience_id: string, { steps }: Document): Promise<void> {
  if (steps.length === 0) return;
  await ctx.db
    .insertInto('unplaced_steps')
    .values(steps.map(({ id }) => ({ account_id: ctx.account.id, experience_id, step_id: id })))
    .onConflict((known) => known.doNothing())
    .execute();
}
