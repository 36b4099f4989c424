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
  sketch: {
    ...{ width: 1280, height: 720, colors: ['ffffff', '1f6feb'], target: [20, 40, 80, 32] },
    boxes: [
      [2, 20, 40, 80, 32, 1],
      [1, 30, 48, 60, 16],
    ],
  },
};

/** How a button of a page looks, as the picker sends it. */
export const LOOK = {
  ...{ font: 'Inter, sans-serif', font_size: 14, font_weight: 600, line_height: 1.5 },
  ...{ color: 'ffffff', background: '1f5f4a', border_width: 0, radius: 4, shadow: 0 },
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

/** Makes a pick that takes a theme from the test page. */
export async function makeThemePick(
  api: Api,
  as: CreatedAccount = api.account,
): Promise<MadePick & { theme_id: string }> {
  const theme_id = (await api.post('/v3/edit/themes', { name: 'Brand' }, { as })).body.theme.id;
  const { body } = await api.post('/v3/edit/picks', { href: PAGE, purpose: 'theme', theme_id }, { as });
  const { id, code, address } = body.pick;
  return { id, code, theme_id, experience_id: '', key: /#usher-pick=([\w-]+)/.exec(address)?.[1] ?? '' };
}

/** Picks an element for the first step of a live tour. */
export async function makePicked(api: Api, as: CreatedAccount = api.account): Promise<MadePick & { step_id: string }> {
  const experience_id = await makeLiveTour(api, as);
  const step_id = (await api.get(`/v3/edit/tours/${experience_id}`, { as })).body.tour.steps[0].id;
  const pick = await makePick(api, as, { experience_id, step_id });
  const pick_token = await openPick(api, as, pick);
  const { status, body } = await askAsPage(api, '/result', { pick_token, href: PAGE, result: RESULT });
  if (status !== 200) throw new Error(`Nothing was picked: ${body.messages}`);
  return { ...pick, step_id };
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
