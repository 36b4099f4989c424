import { expect } from 'vitest';
import type { CreatedAccount } from '../src/features/team/accounts/create-account.ts';
import type { Api, ApiResponse } from './api.ts';

/** A page that a user has open, as its script knows it. */
export interface OpenPage {
  token: string;
  /** In how many milliseconds the page loads again, if it does. */
  againMs: number | undefined;
  profile: { id: string; delivery_ids: string[] };
  deliveries: { id: string; model_id: string; ready: boolean }[];
  experiences: { id: string }[];
  report(params: object): Promise<ApiResponse>;
  track(params: object): Promise<ApiResponse>;
}

export const HREF = 'http://localhost:3000/home';

/** Loads a page for a user. */
export async function loadPage(
  api: Pick<Api, 'account' | 'post'>,
  uid: string,
  { as = api.account, ...params }: { as?: CreatedAccount; href?: string; properties?: object; uid_hash?: string } = {},
): Promise<OpenPage> {
  const sent = { account_token: as.account_token, uid, href: HREF, ...params };
  const { status, body } = await api.post('/v3/observe/visits', sent, { as: null });
  expect([status, body.messages]).toEqual([200, undefined]);
  const { profile, visit, deliveries, experiences } = body;
  const postTo = (path: string) => (params: object) =>
    api.post(path, { visit_token: visit.token, ...params }, { as: null });
  return {
    ...{ profile, deliveries, experiences, token: visit.token, againMs: visit.again_ms },
    report: postTo('/v3/observe/interactions'),
    track: postTo('/v3/observe/events'),
  };
}
