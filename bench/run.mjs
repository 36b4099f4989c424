import { changesDepth } from './figures/changes.mjs';
import { deliveriesCreate } from './figures/deliveries.mjs';
import { events } from './figures/events.mjs';
import { experiencesSave } from './figures/experiences.mjs';
import { funnels } from './figures/funnels.mjs';
import { imports } from './figures/imports.mjs';
import { memoryIdle } from './figures/memory.idle.mjs';
import { memoryStreams } from './figures/memory.streams.mjs';
import { pagesDepth } from './figures/pages.depth.mjs';
import { peopleSearch } from './figures/people.mjs';
import { profilesBatch } from './figures/profiles.batch.mjs';
import { profilesCount } from './figures/profiles.count.mjs';
import { responsesFilters } from './figures/responses.filters.mjs';
import { resultsRead } from './figures/results.mjs';
import { segments } from './figures/segments.mjs';
import { startFirst } from './figures/start.first.mjs';
import { startReady } from './figures/start.ready.mjs';
import { translations } from './figures/translations.mjs';
import { urlsCreate } from './figures/urls.create.mjs';
import { urlsShow } from './figures/urls.show.mjs';
import { visits, visitsExperiences, visitsPaths, visitsProfiles, visitsThemes } from './figures/visits.mjs';
import { webhooksRecord, webhooksSend } from './figures/webhooks.mjs';
import { workers } from './figures/workers.mjs';
import { runFigures } from './harness.mjs';

/*
 * npm run bench                          everything, on both engines
 * npm run bench -- --engine sqlite       without PostgreSQL
 * npm run bench -- --only pages          the figures whose name contains this
 * npm run bench -- --quick               tiny sizes, to check that it works, not how fast
 * BENCH_DATABASE_URL=postgres://… npm run bench -- --only workers.postgres
 *                                        on an empty database of yours: at a coordinator of Citus it measures this, too
 */

await runFigures({
  'urls.show': urlsShow,
  'urls.create': urlsCreate,
  'start.ready': startReady,
  'start.first': startFirst,
  'memory.idle': memoryIdle,
  'memory.streams': memoryStreams,
  'pages.depth': pagesDepth,
  'profiles.batch': profilesBatch,
  imports,
  'profiles.count': profilesCount,
  'people.search': peopleSearch,
  segments,
  'deliveries.create': deliveriesCreate,
  events,
  visits,
  'visits.profiles': visitsProfiles,
  'visits.experiences': visitsExperiences,
  'visits.paths': visitsPaths,
  'visits.themes': visitsThemes,
  translations,
  'experiences.save': experiencesSave,
  'results.read': resultsRead,
  funnels,
  'responses.filters': responsesFilters,
  'changes.depth': changesDepth,
  'webhooks.record': webhooksRecord,
  'webhooks.send': webhooksSend,
  workers,
});
