import type { Kind, PageTheme } from './wire.ts';
/*
 * The configuration that the server gives to the page. The server writes it before the loader as `window.__usher =
 * {…};`, and the loader removes it from there.
 */
export interface Config {
  /** The public token of the account. */
  token: string;
  /** The address of the server, without a slash at the end. If the operator has not set it, the loader uses its own origin. */
  url?: string | undefined;
  /**
   * The path of each script file on the server, and its integrity hash, as in the manifest of the build. The file that runs code
   * of authors is missing if the account does not allow scripts, and the one that counts events if it has none without code.
   */
  files: Record<Exclude<ModuleName, 'scripts' | 'page_events'>, File> & { scripts?: File; page_events?: File };
  /**
   * Hashes of the hosts on which the script is on, see engine/host-hash.ts. If the field is missing, the script is on
   * everywhere.
   */
  hosts?: number[];
  /** Whether users who have not signed in have profiles. */
  anonymous?: true;
  /** Set while the user has not consented. */
  consent?: 'pending' | 'denied';
  /** Texts of the user interface that replace the English ones. The response of a visit replaces them again. */
  labels?: Record<string, string>;
  /** The themes of the last response, by the `theme_id` of the Experiences; `default` for those without one. */
  themes?: Record<string, PageTheme> | undefined;
  /** At an alias: the global of the other service's snippet, and the path that the loader was loaded from. */
  alias?: { global: string; path: string };
  /**
   * Lets the page go to an address without a page load, and returns whether it does. Only pages with the snippet of another service
   * have this function.
   */
  navigate?(address: string): boolean;
  /** Loads a module and resolves when it has run. The loader adds this function. */
  load?(name: ModuleName): Promise<void>;
}

interface File {
  path: string;
  integrity: string;
}

type ModuleName =
  | 'core'
  | 'renderer'
  | 'extras'
  | 'extras_regex'
  | 'scripts'
  | 'media'
  | 'tour_extras'
  | 'questions'
  | 'page_events'
  | 'stream'
  | 'anonymous'
  | 'consent'
  | 'debug'
  | 'picker'
  | 'try'
  | Kind;
