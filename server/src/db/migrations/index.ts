import { foundation } from './0001-foundation.ts';
import { people } from './0002-people.ts';
import { experiences } from './0003-experiences.ts';
import { deliveries } from './0004-deliveries.ts';
import { visits } from './0005-visits.ts';
import { script } from './0006-script.ts';
import { webhooks } from './0007-webhooks.ts';
import { tidings } from './0008-tidings.ts';
import { fewerIndices } from './0009-fewer-indices.ts';
import { eventKeys } from './0010-event-keys.ts';
import { clocks } from './0011-clocks.ts';
import { pageTrust } from './0012-page-trust.ts';
import { responses } from './0013-responses.ts';
import { removedReason } from './0014-removed-reason.ts';
import { filterOperators } from './0015-filter-operators.ts';
import { installation } from './0016-installation.ts';
import { plainNames } from './0017-plain-names.ts';
import { signIn } from './0018-sign-in.ts';
import { installationLog } from './0019-installation-log.ts';
import { sampleData } from './0020-sample-data.ts';
import { invitationNotes } from './0021-invitation-notes.ts';
import { experienceLists } from './0022-experience-lists.ts';
import { visitedPaths } from './0023-visited-paths.ts';
import { experienceUses } from './0024-experience-uses.ts';
import { picks } from './0025-picks.ts';
import { testUsers } from './0026-test-users.ts';
import { failingSteps } from './0027-failing-steps.ts';
import { propertySources } from './0028-property-sources.ts';
import { outdatedTranslations } from './0029-outdated-translations.ts';
import { removedDeliveries } from './0030-removed-deliveries.ts';
import { timelines } from './0031-timelines.ts';
import { accountKeys } from './0032-account-keys.ts';
import { deletionLog } from './0033-deletion-log.ts';
import { secretParents } from './0034-secret-parents.ts';
import { pageIntake } from './0035-page-intake.ts';
import { openEditors } from './0036-open-editors.ts';
import { counts } from './0037-counts.ts';
import { timeZone } from './0038-time-zone.ts';
import { rowsStoredOnce } from './0039-rows-stored-once.ts';
import { countsOfPeople } from './0041-counts-of-people.ts';
import { eventsByProfile } from './0042-events-by-profile.ts';
import { pictures } from './0043-pictures.ts';
import { themes } from './0044-themes.ts';
import { stepSketches } from './0045-step-sketches.ts';
import { preferences } from './0046-preferences.ts';
import { idempotencyKeys } from './0047-idempotency-keys.ts';
import { recordFields } from './0048-record-fields.ts';
import { imports } from './0049-imports.ts';
import { moves } from './0051-moves.ts';
import { pageValues } from './0052-page-values.ts';
import { triedThemes } from './0054-tried-themes.ts';
import { alertGroups } from './0055-alert-groups.ts';
import { scriptAlias } from './0056-script-alias.ts';
import { movedRecords } from './0057-moved-records.ts';
import { proposals } from './0060-proposals.ts';
import { managedRecords } from './0062-managed-records.ts';
import { movedPictures } from './0065-moved-pictures.ts';
import { pendingStarts } from './0070-pending-starts.ts';
import { eventCounts } from './0073-event-counts.ts';
import { itemProgress } from './0076-item-progress.ts';
import { choices } from './0079-choices.ts';
import { anonymousUsers } from './0083-anonymous-users.ts';
import { responseTags } from './0086-response-tags.ts';
import { responseCounts } from './0087-response-counts.ts';
import { wakeCounts } from './0088-wake-counts.ts';
import { publicPages } from './0090-public-pages.ts';
import { goals } from './0100-goals.ts';
import { experiments } from './0105-experiments.ts';
import { stepFlow } from './0110-step-flow.ts';
import { exportFiles } from './0125-export-files.ts';
import { reach } from './0130-reach.ts';
import { interruptions } from './0132-interruptions.ts';
import { homeVisits } from './0133-home-visits.ts';
import { certificates } from './0135-certificates.ts';
import { responseFilters } from './0140-response-filters.ts';
import type { Migration } from './migration.ts';

/** Migrations only go forward: one that is released is never edited. Add the next one below it. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-people': people,
  '0003-experiences': experiences,
  '0004-deliveries': deliveries,
  '0005-visits': visits,
  '0006-script': script,
  '0007-webhooks': webhooks,
  '0008-tidings': tidings,
  '0009-fewer-indices': fewerIndices,
  '0010-event-keys': eventKeys,
  '0011-clocks': clocks,
  '0012-page-trust': pageTrust,
  '0013-responses': responses,
  '0014-removed-reason': removedReason,
  '0015-filter-operators': filterOperators,
  '0016-installation': installation,
  '0017-plain-names': plainNames,
  '0018-sign-in': signIn,
  '0019-installation-log': installationLog,
  '0020-sample-data': sampleData,
  '0021-invitation-notes': invitationNotes,
  '0022-experience-lists': experienceLists,
  '0023-visited-paths': visitedPaths,
  '0024-experience-uses': experienceUses,
  '0025-picks': picks,
  '0026-test-users': testUsers,
  '0027-failing-steps': failingSteps,
  '0028-property-sources': propertySources,
  '0029-outdated-translations': outdatedTranslations,
  '0030-removed-deliveries': removedDeliveries,
  '0031-timelines': timelines,
  '0032-account-keys': accountKeys,
  '0033-deletion-log': deletionLog,
  '0034-secret-parents': secretParents,
  '0035-page-intake': pageIntake,
  '0036-open-editors': openEditors,
  '0037-counts': counts,
  '0038-time-zone': timeZone,
  '0039-rows-stored-once': rowsStoredOnce,
  '0041-counts-of-people': countsOfPeople,
  '0042-events-by-profile': eventsByProfile,
  '0043-pictures': pictures,
  '0044-themes': themes,
  '0045-step-sketches': stepSketches,
  '0046-preferences': preferences,
  '0047-idempotency-keys': idempotencyKeys,
  '0048-record-fields': recordFields,
  '0049-imports': imports,
  '0051-moves': moves,
  '0052-page-values': pageValues,
  '0054-tried-themes': triedThemes,
  '0055-alert-groups': alertGroups,
  '0056-script-alias': scriptAlias,
  '0057-moved-records': movedRecords,
  '0060-proposals': proposals,
  '0062-managed-records': managedRecords,
  '0065-moved-pictures': movedPictures,
  '0070-pending-starts': pendingStarts,
  '0073-event-counts': eventCounts,
  '0076-item-progress': itemProgress,
  '0079-choices': choices,
  '0083-anonymous-users': anonymousUsers,
  '0086-response-tags': responseTags,
  '0087-response-counts': responseCounts,
  '0088-wake-counts': wakeCounts,
  '0090-public-pages': publicPages,
  '0100-goals': goals,
  '0105-experiments': experiments,
  '0110-step-flow': stepFlow,
  '0125-export-files': exportFiles,
  '0130-reach': reach,
  '0132-interruptions': interruptions,
  '0133-home-visits': homeVisits,
  '0135-certificates': certificates,
  '0140-response-filters': responseFilters,
};
