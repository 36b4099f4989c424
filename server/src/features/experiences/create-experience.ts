import {
  type Document,
  dropGoalIds,
  dropUnknownIds,
  duplicateDocument,
  type Experience,
  type ExperienceFields,
  type ExperienceKind,
  hashSources,
  listTemplates,
  markUnreviewed,
  type TemplateId,
  writeDocument,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { lockLanguages } from '../translations/languages/queries.ts';
import { storeTexts } from '../translations/languages/store-texts.ts';
import { recordChangeGroups } from './changes/record-changes.ts';
import { replaceIds } from './duplicate-experience.ts';
import { presentExperience } from './present-experience.ts';
import type { ExperienceRow } from './queries.ts';
import { insertExperience, storeDraft } from './store-drafts.ts';

/** Creates an Experience with these fields. All other fields come from the template, if there is one. */
export async function createExperience(
  ctx: Context,
  kind: ExperienceKind,
  { template_id, ...params }: ExperienceFields & { template_id?: TemplateId },
): Promise<Experience> {
  const row = await ctx.transaction((ctx) =>
    template_id === undefined ? insertNew(ctx, kind, params) : insertFromTemplate(ctx, kind, template_id, params),
  );
  return presentExperience(ctx, row);
}

function insertNew(
  ctx: Context,
  kind: ExperienceKind,
  { steps, items, ...params }: ExperienceFields,
  template?: Document,
): Promise<ExperienceRow> {
  const problems: string[] = [];
  const parts = {
    ...((steps || !template) && { steps: dropUnknownIds(steps ?? []) }),
    ...((items || !template) && { items: dropUnknownIds(items ?? []) }),
    ...(params.goals !== undefined && { goals: dropGoalIds(params.goals) }),
  };
  const document = writeDocument(kind, template, { ...params, ...parts }, ctx.newId, problems);
  if (problems.length > 0) throw invalid(...problems);
  return insertExperience(ctx, document);
}

/** The draft gets the translations of the template in the languages of the account, marked as not reviewed. */
async function insertFromTemplate(
  ctx: Context,
  kind: ExperienceKind,
  id: TemplateId,
  params: ExperienceFields,
): Promise<ExperienceRow> {
  const template = listTemplates().find((one) => one.id === id);
  if (template?.kind !== kind) throw invalid(`\`template_id\` is of no ${kind}: choose another template`);
  const languages = await lockLanguages(ctx);
  const { document, ids } = duplicateDocument(template.document, ctx.newId);
  const { published_at, ...others } = params;
  const row = await insertNew(ctx, kind, others, document);
  ids.set(template.modelId, row.id);
  for (const [language, texts] of Object.entries(template.translations)) {
    if (!languages.has(language)) continue;
    // The translations are of the texts of the template, and the request may have changed these texts.
    const sources = replaceIds(markUnreviewed(hashSources(template.modelId, template.document, texts)), ids);
    const copied = [{ row, before: {}, after: replaceIds(texts, ids), sources }];
    await recordChangeGroups(ctx, await storeTexts(ctx, language, copied));
  }
  if (!published_at) return row;
  // A version contains the stored translations, so they are stored before it is published.
  const problems: string[] = [];
  const published = writeDocument(kind, row.draft, { published_at }, ctx.newId, problems);
  if (problems.length > 0) throw invalid(...problems);
  return storeDraft(ctx, row, published);
}
