import {
  type ChangeSummary,
  type ExperienceKind,
  listPublishProblems,
  type PublishCheck,
  parseIso,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { allowsGlobals } from '../../experiences/allows-globals.ts';
import { findPublishedCampaigns } from '../../experiences/check-references.ts';
import { type ExperienceRow, getExperience } from '../../experiences/queries.ts';
import { summarizeChanges } from '../../experiences/summarize-changes.ts';
import { countReach } from './count-audience.ts';
import { countAddedInterruptions, warnOfInterruptions } from './count-interruptions.ts';
import { listWarnings, warnOfCompletedItems } from './list-warnings.ts';
import { loadAccountFor } from './load-account-for.ts';

/** Says what would happen if the draft was published now. Nothing is changed. */
export async function checkPublish(ctx: Context, kind: ExperienceKind, id: string): Promise<PublishCheck> {
  const row = await getExperience(ctx, kind, id);
  return checkDraft(ctx, row, await summarizeChanges(ctx, kind, id));
}

/** Checks a row whose draft need not be stored. */
export async function checkDraft(ctx: Context, row: ExperienceRow, summary: ChangeSummary): Promise<PublishCheck> {
  const account = await loadAccountFor(ctx, row.id, row.draft);
  const reach = await countReach(ctx, account, row.id, row.draft);
  const interruptions = await countAddedInterruptions(ctx, account, row.draft);
  const warnings = await listWarnings(ctx, account, row);
  return {
    problems: await listProblems(ctx, row),
    warnings: [
      ...warnings,
      ...(await warnOfCompletedItems(ctx, account, row.draft, reach)),
      ...warnOfInterruptions(interruptions, reach),
    ],
    summary,
    reach,
    interruptions,
  };
}

/** Runs the same checks as publishing. */
async function listProblems(ctx: Context, { id, draft }: ExperienceRow): Promise<PublishCheck['problems']> {
  const campaigns = (await findPublishedCampaigns(ctx, draft)).set(id, true);
  const all = listPublishProblems(draft, campaigns, await allowsGlobals(ctx));
  const problems = all.map(({ path, message }) => ({ path, message }));
  const { published_until } = draft;
  const hasEnded = published_until !== null && (parseIso(published_until) ?? 0) <= ctx.now();
  if (!hasEnded) return problems;
  return [...problems, { path: 'published_until', message: 'Its end has passed: choose a later one, or none' }];
}
