import type { ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';

export type Admin = ResponseOf<'GET /v3/edit/admins'>['admins'][number];
export type Invitation = ResponseOf<'GET /v3/edit/invitations'>['invitations'][number];

/** The lists of the team are short, so one page of the API has all entries. */
export const adminsQuery = query('GET /v3/edit/admins', { limit: 500 });
export const invitationsQuery = query('GET /v3/edit/invitations', { limit: 500 });
export const secretsQuery = query('GET /v3/edit/secrets', { limit: 500 });
