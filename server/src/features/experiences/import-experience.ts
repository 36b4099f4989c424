import { type Experience, type ExperienceGiven, type ExperienceKind, replaceDocument } from '@usher/domain';
import type { Context } from '../../context.ts';
import { changeExperience } from './change-experience.ts';
import { presentExperience } from './queries.ts';

/** Replaces the whole document: what is not given is as in a new one. */
export async function importExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  given: ExperienceGiven,
): Promise<Experience> {
  const row = await changeExperience(ctx, kind, id, { kind: 'raw' }, (document, problems, ctx) =>
    replaceDocument(document, given, ctx.newId, problems),
  );
  return presentExperience(ctx, row);
}
