/** What a page calls. Everything may be called before the script is there: it is done then, in order. None of it throws. */
export interface Usher {
  /**
   * Names the user, and tells what is known of them. `uid_hash`, `identity_hash`, `email`, `company` have names of their
   * own. Calls for the same user add up: what a later call leaves out stays.
   */
  identify(uid: string | number, properties?: Properties): void;
  identify(user: { uid: string | number } & Properties): void;
  /** The user did something. */
  track(name: string, properties?: Properties): void;
  /** Tells more of the user. */
  set(properties: Properties): void;
  /** Shows an Experience that is live. */
  show(id: string, options?: ShowOptions): void;
  /** The user has signed out: takes away what is shown, and knows nobody. */
  clear(): void;
  on<Name extends keyof UsherEvents>(event: Name, run: (data: UsherEvents[Name]) => void): void;
  off<Name extends keyof UsherEvents>(event: Name, run?: (data: UsherEvents[Name]) => void): void;
  init(options: InitOptions): void;
  data: { profile: { get(key?: string): unknown } };
}

export type Properties = Record<string, unknown>;

export interface InitOptions {
  /** `none` keeps nothing in the browser, not even for the tab. */
  storage?: 'session' | 'none';
}

export interface ShowOptions {
  /** Only to users of its Segments. */
  use_segmentation?: boolean;
  /** Only to users who have not seen it. */
  once?: boolean;
  /** An address to go to first; true: the one that its first step is for, where that is a plain address. */
  redirect?: string | true;
  /** Without triggers, elements and delays of its first step; so unless it is false. */
  skip_triggers?: boolean;
  /** On any page; so unless it is false. */
  skip_url_match?: boolean;
  /** Opens or closes a launcher. */
  open?: boolean;
  close?: boolean;
  /** What merge tags such as `{{delivery "manager.name"}}` show. */
  options?: Properties;
}

export interface UsherEvents {
  /** The script is there. */
  load: undefined;
  /** It knows the account. */
  'after:account': { token: string };
  /** The server is told of the user. */
  'identify:request': Properties;
  /** The server has answered. */
  'identify:sync': Properties;
  'after:profile': Properties;
  /** The user sees or does something with an Experience. */
  'tour:event': { experience_id: string; kind: string; state?: string; step_id?: string; button_id?: string };
  /** An event was tracked. */
  'usher:event': { name: string; properties: Properties };
  /** The page has another address. */
  'app:navigate': { href: string };
}

/** Loads the script; once, however often it is called. */
export function init(token: string, options: InitOptions & { url: string; nonce?: string }): Usher;
declare const usher: Usher & { init: typeof init };
export default usher;
