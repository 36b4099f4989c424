/** What a page calls. Calls before the script has loaded are made in order when it has. No call throws. */
export interface Usher {
  /**
   * Identifies the user and sets properties. `uid_hash`, `identity_hash`, `email` and `company` are fields of their own; all
   * others are custom properties. Calls for the same user add up: a property stays until a later call replaces it.
   */
  identify(uid: string | number, properties?: Properties): void;
  identify(user: { uid: string | number } & Properties): void;
  /** Tracks an event of the user. */
  track(name: string, properties?: Properties): void;
  /** Sets more properties of the user. */
  set(properties: Properties): void;
  /** Shows an Experience that is live. */
  show(id: string, options?: ShowOptions): void;
  /** Call it when the user signs out. It removes what is shown and forgets the user. */
  clear(): void;
  on<Name extends keyof UsherEvents>(event: Name, run: (data: UsherEvents[Name]) => void): void;
  off<Name extends keyof UsherEvents>(event: Name, run?: (data: UsherEvents[Name]) => void): void;
  init(options: InitOptions): void;
  /**
   * Opens a panel that says what Usher shows on this page, what it waits for, and what it knows about the user. With a debug token,
   * it also says why other Experiences do not show. The panel stays open on the next pages of this tab until it is closed.
   */
  debug(token?: string): void;
  data: { profile: { get(key?: string): unknown } };
}

export type Properties = Record<string, unknown>;

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

export interface UsherEvents {
  /** The script has loaded. */
  load: undefined;
  /** The script knows the account. */
  'after:account': { token: string };
  /** The script sends the user to the server. */
  'identify:request': Properties;
  /** The server has responded. */
  'identify:sync': Properties;
  'after:profile': Properties;
  /** The user sees or does something with an Experience. */
  'tour:event': { experience_id: string; kind: string; state?: string; step_id?: string; button_id?: string };
  /** An event was tracked. */
  'usher:event': { name: string; properties: Properties };
  /** The address of the page has changed without a page load. */
  'app:navigate': { href: string };
}

/** Loads the script. Further calls have no effect. */
export function init(token: string, options: InitOptions & { url: string; nonce?: string }): Usher;
declare const usher: Usher & { init: typeof init };
export default usher;
