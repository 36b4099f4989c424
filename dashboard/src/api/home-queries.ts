import { attentionQuery } from './attention.ts';
import { query } from './queries.ts';
import { sampleDataQuery } from './sample-data.ts';

export const liveQuery = query('GET /v3/analyze/live');
export const newsQuery = query('GET /v3/analyze/news');
export const changesQuery = query('GET /v3/edit/changes', { limit: 100 });
export const installationQuery = query('GET /v3/analyze/installation');
/** This query is only for the last step of "Get started". */
export const draftQuery = query('GET /v3/edit/experiences', {
  ...{ state: 'draft', order: 'updated_at', fields: 'list', limit: 1 },
} as const);

/** The queries of Home. They are sent at the same time. */
export const homeQueries = [liveQuery, newsQuery, attentionQuery, changesQuery, sampleDataQuery, installationQuery];
