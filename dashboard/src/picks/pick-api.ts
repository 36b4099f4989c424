import { api, type ParamsOf, type ResponseOf } from '../api/api.ts';

type CreatedPick = ResponseOf<'POST /v3/edit/picks'>['pick'];

/** A pick as the server shows it. Its address and its code are only in the response that creates it. */
export type ElementPick = ResponseOf<'GET /v3/edit/picks/{id}'>['pick'] &
  Partial<Pick<CreatedPick, 'address' | 'code'>>;
export type PickState = ElementPick['state'];
export type PickResult = NonNullable<ElementPick['result']>;
export type PickedElement = PickResult['elements'][number];
export type Candidate = PickResult['candidates'][number];
export type Wireframe = PickResult['wireframe'];
export type WireframeBox = Wireframe['boxes'][number];
export type Box = PickResult['box'];

export const createPick = (params: ParamsOf<'POST /v3/edit/picks'>): Promise<ElementPick> =>
  api('POST /v3/edit/picks', params).then(({ pick }) => pick);

export const loadPick = (id: string): Promise<ElementPick> =>
  api('GET /v3/edit/picks/{id}', { id }).then(({ pick }) => pick);

export const endPick = (id: string) => api('DELETE /v3/edit/picks/{id}', { id });

/** The address of the event stream of a pick. */
export const eventsOf = (id: string) => `/v3/edit/picks/${encodeURIComponent(id)}/events`;
