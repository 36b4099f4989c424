import { listQuery } from './list.ts';
import { query } from './queries.ts';

/** What every request for the list of Experiences has. */
export const listParams = { fields: 'list', trend: true, limit: 50 } as const;

/** The first page of the list as it opens: without filters, in the order of priority. */
export const firstListQuery = listQuery('GET /v3/edit/experiences', {
  ...listParams,
  order: 'position',
  archived: false,
});

export const experienceQuery = (id: string) => query('GET /v3/edit/experiences/{id}', { id });
