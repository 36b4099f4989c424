import type { CreatedAccount } from '../src/features/team/accounts/create-account.ts';
import type { Api, ApiResponse } from './api.ts';
import { makeLiveTour } from './delivery-path.ts';
import { HOST, PAGE } from './visiting.ts';

export const ORIGIN = `https://${HOST}`;

export interface MadePick {
  id: string;
  key: string;
  code: string;
  experience_id: string;
}

/** A result of a pick, as the picker sends it. */
export const RESULT = {
  elements: [{ selector: '#save' }, { selector: 'button', text: 'Save' }],
  candidates: [{ selector: '#save', score: 90, kind: 'token', matches: 1 }],
  attribute: 'data-usher="save"',
  box: { x: 20, y: 40.5, width: 80, height: 32 },
  wireframe: {
    width: 1280,
    height: 720,
    boxes: [{ x: 20, y: 40.5, width: 80, height: 32, fill: '#1f6feb', text: 'Save', color: '#ffffffcc', target: true }],
  },
};

/** Makes a pick on the test page. The domain must be on. */
export async function makePick(
  api: Api,
  as: CreatedAccount = api.account,
  params: { experience_id?: string; [name: string]: unknown } = {},
): Promise<MadePick> {
  const experience_id = params.experience_id ?? (await makeLiveTour(api, as));
  const { status, body } = await api.post('/v3/edit/picks', { href: PAGE, ...params, experience_id }, { as });
  if (status !== 201) throw new Error(`The pick was not made: ${body.messages}`);
  const { id, code, address } = body.pick;
  return { id, code, experience_id, key: /#usher-pick=([\w-]+)/.exec(address)?.[1] ?? '' };
}

/** Sends a request of a page. */
export function askAsPage(api: Api, path: string, params: object, headers: object = {}): Promise<ApiResponse> {
  return api.post(`/v3/observe/picks${path}`, params, { as: null, headers: { Origin: ORIGIN, ...headers } });
}

export function exchange(api: Api, as: CreatedAccount, params: object, headers: object = {}): Promise<ApiResponse> {
  return askAsPage(api, '', { account_token: as.account_token, href: PAGE, ...params }, headers);
}

/** Opens a pick by its key, and returns the token. */
export async function openPick(api: Api, as: CreatedAccount, { key }: Pick<MadePick, 'key'>): Promise<string> {
  const { status, body } = await exchange(api, as, { key });
  if (status !== 200) throw new Error(`The pick was not opened: ${body.messages}`);
  return body.pick.token;
}
