import type { ExperienceKind } from './kinds/names.d.ts';

/**
 * The functions that a page calls. Calls before the script has loaded are made in order when it has. No call throws.
 */
export interface Usher {
  /**
   * Identifies the user and sets properties. `uid_hash`, `identity_hash`, `email` and `company` are fields of their own; all
   * others are custom properties. Calls for the same user add up: a property stays until a later call replaces it.
   *
   * Without a `uid`, the user has not signed in, which only accounts that allow it have. A `uid` in a later call signs them in.
   */
  identify(uid: string | number, properties?: Properties): void;
  identify(user?: { uid?: string | number } & Properties): void;
  /** Tracks an event of the user. */
  track(name: string, properties?: Properties): void;
  /** Sets more properties of the user. */
  set(properties: Properties): void;
  /** Shows an Experience that is live. The promise resolves when it is on the screen, or with the reason why not. It never rejects. */
  show(id: string, options?: ShowOptions): Promise<ShowResult>;
  /** Leads the tour or survey that shows to its next step. Past the last step, it is completed. */
  next(): void;
  previous(): void;
  /** Closes the tour or survey in front, as its close button does. */
  close(): void;
  /** Returns whether an Experience is on the screen; without an ID, whether any tour or survey is. */
  isShowing(id?: string): boolean;
  /** Call it when the user signs out. It removes what is shown and forgets the user. */
  clear(): void;
  /** Listens to an event. A listener for `load` or `after:account` is also called if that has happened already. */
  on<Name extends keyof UsherEvents>(event: Name, run: (data: UsherEvents[Name]) => void): Unsubscribe;
  /** Listens to the next event of this name only. */
  once<Name extends keyof UsherEvents>(event: Name, run: (data: UsherEvents[Name]) => void): Unsubscribe;
  /** Removes a listener or a hook; without one, all of that name. */
  off<Name extends keyof UsherEvents>(event: Name, run?: (data: UsherEvents[Name]) => void): void;
  off(hook: 'step', run?: StepHook): void;
  /** Runs a hook before each step of a tour, survey or embed. The step waits for its promise, at most 5 seconds. */
  before(hook: 'step', run: StepHook): Unsubscribe;
  /**
   * Says whether the user agrees to what Usher stores and sends. While it is `pending`, the page sends only its address, and the calls
   * above wait. With `denied`, nothing is sent and nothing stays stored. Without a call, the page works as if it were `granted`.
   */
  consent(state: 'granted' | 'denied' | 'pending'): void;
  init(options: InitOptions): void;
  /**
   * Opens a panel that says what Usher shows on this page, what it waits for, and what it knows about the user. With a debug token,
   * it also says why other Experiences do not show. The panel stays open on the next pages of this tab until it is closed.
   */
  debug(token?: string): void;
  data: { profile: { get(): Profile | undefined; get(key: string): unknown } };
}

export type Properties = Record<string, unknown>;
export type Unsubscribe = () => void;
export type { ExperienceKind };

export interface InitOptions {
  /** `none` stores nothing in the browser, not even for the tab. */
  storage?: 'session' | 'none';
}

export interface ShowOptions {
  /** Shows it only to users of its Segments. */
  use_segmentation?: boolean;
  /** Shows it only to users who have not seen it. */
  once?: boolean;
  /** An address to go to first. `true` is the URL of its first step, if that has no wildcards. */
  redirect?: string | true;
  /** Ignores triggers, elements and delays of the first step. The default is true. */
  skip_triggers?: boolean;
  /** Shows it on any page. The default is true. */
  skip_url_match?: boolean;
  /** Opens or closes a launcher. */
  open?: boolean;
  close?: boolean;
  /** The values for merge tags such as `{{delivery "manager.name"}}`. */
  options?: Properties;
}

export type ShowResult = { shown: true; reason?: undefined } | { shown: false; reason: ShowReason };

/** Why an Experience is not on the screen. */
export type ShowReason =
  /** No live Experience has this ID. */
  | 'not_live'
  /** `use_segmentation`: the user is not in its Segments. */
  | 'segment'
  /** `once`: the user has seen it. */
  | 'seen'
  /** The property `disabled` of the user is true. */
  | 'disabled'
  /** `identify` was not called within 10 seconds. */
  | 'not_identified'
  /** The user has signed out meanwhile. */
  | 'cleared'
  /** The domain is not enabled. */
  | 'host_off'
  /** No account has the token in the address of the script. */
  | 'unknown_token'
  /** The server did not respond in time, or rejected the page: the console has its message. */
  | 'unavailable'
  /** The page goes to another address first, and the Experience shows there. */
  | 'redirected'
  /** `close`: the launcher was closed. */
  | 'closed'
  /** The Experience could not be painted on this page, in two attempts. The console has the error. */
  | 'error'
  /** Another tour or survey holds the slot, or has taken it. */
  | 'busy'
  /* With the reasons below, the Experience has waited for 5 seconds. It still shows if that changes later. */
  /** The Experience does not start on this page. */
  | 'other_page'
  /** The element of the step is not on the page. */
  | 'no_element'
  | 'element_hidden'
  /** A dialog of the page covers the Experience. */
  | 'covered'
  /** The Experience waits for its trigger. */
  | 'trigger'
  /** The tab is in the background. */
  | 'page_hidden';

/** The values that a hook receives. `index` is the position of the step, from 0. */
export interface StepInfo {
  experience_id: string;
  kind: ExperienceKind;
  step_id: string;
  index: number;
}
export type StepHook = (step: StepInfo) => unknown;

/** The user as the server knows them. */
export interface Profile extends Properties {
  id: string;
  uid: string;
}

/** What is sent to the server about the user and the page. */
export interface IdentifyRequest {
  account_token: string;
  /** Missing if the user has not signed in. */
  uid?: string | undefined;
  uid_hash?: unknown;
  identity_hash?: unknown;
  email?: unknown;
  company?: unknown;
  company_uid?: unknown;
  company_id?: unknown;
  properties?: Properties;
  href: string;
  browser: { x: number; tz: number; l: string; n: string | undefined; k: string };
}

/** What the user sees or does with an Experience, as it is reported to the server. */
export interface TourEvent {
  experience_id: string;
  kind: ExperienceKind;
  state?: 'displayed' | 'started' | 'completed' | 'exited' | 'snoozed';
  step_id?: string;
  /** The button, or the item of a launcher, that the user clicked. */
  button_id?: string;
  /** The answer to a step of a survey. `index` is the position of the chosen list item, from 0. */
  response?: { button_id?: string; value?: string; values?: string[]; input?: string; index?: number };
  /** The Delivery that the page claims. */
  delivery_id?: string;
  /** The page claims the event that starts the Experience. */
  by_event?: boolean;
  href?: string;
  snooze_hours?: number;
  /** The step could not show. */
  problem?: { reason: string };
}

export interface UsherEvents {
  /** The script has loaded. */
  load: undefined;
  /** The script knows the account. */
  'after:account': { token: string };
  /** The script sends the user to the server. */
  'identify:request': IdentifyRequest;
  /** The server has responded. */
  'identify:sync': Profile;
  'after:profile': Profile;
  /** The user sees or does something with an Experience. */
  'tour:event': TourEvent;
  /** An event was tracked. */
  'usher:event': { name: string; properties: Properties };
  /** The address of the page has changed without a page load. */
  'app:navigate': { href: string };
}

/** Loads the script. Further calls have no effect. */
export function init(token: string, options: InitOptions & { url: string; nonce?: string }): Usher;
declare const usher: Omit<Usher, 'init'> & { init: typeof init };
export default usher;
