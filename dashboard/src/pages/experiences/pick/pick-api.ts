import { api } from '../../../api/api.ts';

/* The shapes of the endpoints about picks. */

export interface PickedElement {
  selector?: string | null;
  text?: string | null;
  shadow_selector?: string | null;
}

export interface Candidate extends PickedElement {
  /** From 0 to 100: how likely it still finds the element after a deploy. */
  score: number;
  kind: 'token' | 'text' | 'positional';
  matches: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WireframeBox extends Box {
  fill?: string;
  text?: string;
  color?: string;
  target?: boolean;
}

export interface Wireframe {
  width: number;
  height: number;
  boxes: WireframeBox[];
}

export interface PickResult {
  elements: PickedElement[];
  candidates: Candidate[];
  /** What developers could add to the element, such as `data-usher="save"`. */
  attribute?: string;
  box: Box;
  wireframe: Wireframe;
}

export type PickState = 'waiting' | 'opened' | 'picked' | 'ended' | 'expired';

export interface ElementPick {
  id: string;
  state: PickState;
  /** Only in the response that creates it. */
  address?: string;
  /** Only in the response that creates it. */
  code?: string;
  step_id: string | null;
  href: string;
  page: { href: string; title: string | null } | null;
  result: PickResult | null;
  expires_at: string;
}

interface NewPick {
  experience_id: string;
  step_id: string;
  href: string;
}

type Send = (operation: string, params: object) => Promise<{ pick: ElementPick }>;
const send = api as unknown as Send;

export const createPick = (params: NewPick) =>
  send('POST /v3/edit/picks', { purpose: 'pick', ...params }).then(({ pick }) => pick);

export const loadPick = (id: string) => send('GET /v3/edit/picks/{id}', { id }).then(({ pick }) => pick);

export const endPick = (id: string) => send('DELETE /v3/edit/picks/{id}', { id });

export const eventsOf = (id: string) => `/v3/edit/picks/${encodeURIComponent(id)}/events`;
