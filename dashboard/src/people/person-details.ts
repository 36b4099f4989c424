import type { ResponseOf } from '../api/api.ts';
import { query } from '../api/queries.ts';

/** A person as the server shows them. */
export type PersonDetails = ResponseOf<'GET /v3/edit/profiles/{id}'>['profile'];
export type PersonProperty = PersonDetails['properties'][number];

export function personQuery(id: string) {
  return query('GET /v3/edit/profiles/{id}', { id });
}

/** What every tab of a person gets. */
export interface PersonTabProps {
  person: PersonDetails;
}
