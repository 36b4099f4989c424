import { queryOptions } from '@tanstack/react-query';
import { api, type ResponseOf } from './api.ts';
import { keyOf } from './nouns.ts';
import { query } from './queries.ts';

export type Domain = ResponseOf<'GET /v3/edit/urls'>['urls'][number];
export type Places = ResponseOf<'GET /v3/analyze/urls'>;
export type Place = Places['experiences'][number];

/** Loads all domains of the account: pages may have recorded a thousand, and the API returns 500 at a time. */
export async function loadDomains(): Promise<Domain[]> {
  const all: Domain[] = [];
  for (let before: string | null | undefined; before !== null; ) {
    const { urls, cursor } = await api('GET /v3/edit/urls', { limit: 500, ...(before && { before }) });
    all.push(...urls);
    before = cursor.before;
  }
  return all;
}

export const domainsQuery = queryOptions<Domain[]>({ queryKey: keyOf('urls', 'all'), queryFn: loadDomains });

/** Which Experiences show where, and who changed domains and Environments last. */
export const placesQuery = query('GET /v3/analyze/urls');
