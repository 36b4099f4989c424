import { listKindsWith, type MoveStage } from '@usher/domain';
import type { MoveRun } from './move-run.ts';
import { moveDeliveries } from './stages/move-deliveries.ts';
import { moveExperiences, movePublishing, moveTranslations, moveUpdates } from './stages/move-experiences.ts';
import { moveInteractions } from './stages/move-interactions.ts';
import { moveCompanies, moveProfiles } from './stages/move-people.ts';
import { moveResponses } from './stages/move-responses.ts';
import { moveSegments } from './stages/move-segments.ts';
import {
  moveAlertGroups,
  moveEventNames,
  moveGoals,
  moveLimitGroups,
  moveProperties,
  moveTags,
  moveThemes,
  moveUrlGroups,
  moveUrls,
} from './stages/move-settings.ts';
import { moveTotals } from './stages/move-totals.ts';
import { moveWebhooks } from './stages/move-webhooks.ts';
import { readExperiences } from './stages/read-experiences.ts';

const asking: readonly string[] = listKindsWith('asks');

const runs: Record<MoveStage, (run: MoveRun, isReleased: boolean) => Promise<void>> = {
  properties: moveProperties,
  event_names: moveEventNames,
  url_groups: moveUrlGroups,
  urls: moveUrls,
  tags: moveTags,
  companies: moveCompanies,
  profiles: moveProfiles,
  segments: moveSegments,
  goals: moveGoals,
  themes: moveThemes,
  experiences: moveExperiences,
  translations: moveTranslations,
  publishing: movePublishing,
  updates: moveUpdates,
  limit_groups: moveLimitGroups,
  alert_groups: moveAlertGroups,
  interactions: async (run) => moveInteractions(run, await experiencesOf(run)),
  responses: async (run) =>
    moveResponses(
      run,
      (await experiencesOf(run)).filter(({ kind }) => asking.includes(kind)),
    ),
  deliveries: moveDeliveries,
  webhooks: moveWebhooks,
  totals: async (run, isReleased) => moveTotals(run, await experiencesOf(run), isReleased),
};

function experiencesOf(run: MoveRun) {
  run.experiences ??= readExperiences(run);
  return run.experiences;
}

/** Runs the stages that are not complete. */
export async function runStages(run: MoveRun, stages: readonly MoveStage[], isReleased: boolean): Promise<void> {
  for (const stage of stages) await runs[stage](run, isReleased);
}
