import type { Document, Step } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { publishedVersionOf } from '../../../published/publication.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';

/** Views and clicks are counted for each step and button. */
export interface CountedStep
  extends Pick<Step, 'id' | 'preset'>,
    Partial<Pick<Step, 'title' | 'question' | 'dropdown_items' | 'other_text'>> {
  buttons: readonly Pick<Step['buttons'][number], 'id' | 'text'>[];
}

/** Lists the steps of the draft, then the steps that are only in the published version. */
export async function listCountedSteps(ctx: Context, row: ExperienceRow): Promise<CountedStep[]> {
  const versionId = publishedVersionOf(row, ctx.now());
  const draftSteps = stepsInDocument(row.id, row.draft);
  if (versionId === null) return draftSteps;
  const version = await ctx.db
    .selectFrom('versions')
    .select('content')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', versionId)
    .executeTakeFirst();
  const publishedSteps = version ? stepsInDocument(row.id, version.content.document) : [];
  const publishedById = new Map(publishedSteps.map((step) => [step.id, step]));
  const merged = draftSteps.map((step) => ({
    ...step,
    buttons: unionById(step.buttons, publishedById.get(step.id)?.buttons ?? []),
  }));
  return unionById(merged, [...publishedById.values()]);
}

/** A launcher counts as one step with its items as buttons. */
function stepsInDocument(id: string, { steps, items }: Document): CountedStep[] {
  return items ? [{ id, preset: null, buttons: items.map((item) => ({ id: item.id, text: item.title })) }] : steps;
}

function unionById<Part extends { id: string }>(first: readonly Part[], second: readonly Part[]): Part[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !known.has(id))];
}
