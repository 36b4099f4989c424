import {
  dropUnknownIds,
  type Experience,
  type ExperienceFields,
  type ExperienceKind,
  writeDocument,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';

import { presentExperience } from './queries.ts';
import { insertExperience } from './store-drafts.ts';

export async function createExperience(
  ctx: Context,
  kind: ExperienceKind,
  { steps = [], items = [], ...params }: ExperienceFields,
): Promise<Experience> {
  const row = await ctx.transaction(async (ctx) => {
    const problems: string[] = [];
    const parts = { steps: dropUnknownIds(steps), items: dropUnknownIds(items) };
    const document = writeDocument(kind, undefined, { ...params, ...parts }, ctx.newId, problems);
    if (problems.length > 0) throw invalid(...problems);
    return insertExperience(ctx, document);
  });
  return presentExperience(ctx, row);
}
