import { type Experience, type ExperienceFields, type ExperienceKind, replaceDocument } from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { changeExperience } from './change-experience.ts';
import { presentExperience } from './present-experience.ts';

/** Replaces the whole document. Fields that are left out get the value of a new document. */
export async function importExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  params: ExperienceFields,
): Promise<Experience> {
  // An empty document would delete all content, so it is most likely a mistake.
  if (Object.keys(params).length === 0)
    throw invalid('The document is required: give its `name`, `steps` or other fields');
  const row = await changeExperience(ctx, kind, id, { kind: 'raw' }, (document, problems, ctx) =>
    replaceDocument(document, params, ctx.newId, problems),
  );
  return presentExperience(ctx, row);
}
