import { type Experience, type ExperienceFields, type ExperienceKind, replaceDocument } from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { changeExperience } from './change-experience.ts';
import { presentExperience } from './queries.ts';

/** Replaces the whole document: what is not given is as in a new one. */
export async function importExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  params: ExperienceFields,
): Promise<Experience> {
  // Everything that is left out is emptied: nothing at all is more likely a mistake than meant.
  if (Object.keys(params).length === 0)
    throw invalid('The document is required: give its `name`, `steps` or other fields');
  const row = await changeExperience(ctx, kind, id, { kind: 'raw' }, (document, problems, ctx) =>
    replaceDocument(document, params, ctx.newId, problems),
  );
  return presentExperience(ctx, row);
}
