import type { CreatedAccount } from '../src/features/team/accounts/create-account.ts';
import type { Api, ApiResponse } from './api.ts';

export const HOST = 'app.example.com';
export const PAGE = `https://${HOST}/dashboard`;
let count = 0;

/** Returns the uid of a new user. */
export function newUid(): string {
  return `user ${++count}`;
}

/** Turns on the domain of the test pages for an account. */
export async function openDomain(api: Api, as: CreatedAccount = api.account): Promise<string> {
  return (await api.post('/v3/edit/urls', { host: HOST, enabled: 'on' }, { as })).body.url.id;
}

/** Loads a page of an account. */
export function visit(
  api: Api,
  params: object,
  { as = api.account, headers = {} }: { as?: CreatedAccount; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const body = { account_token: as.account_token, href: PAGE, ...params };
  return api.post('/v3/observe/visits', body, { as: null, headers });
}
