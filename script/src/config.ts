/*
 * What the server knows and the page does not. It stands in front of the loader as `window.__usher = {…};`, which the
 * loader takes away again.
 */
export interface Config {
  /** The public token of the account. */
  token: string;
  /** Where the server is, without a slash at the end. Where the operator has not said it, the loader takes where it came from. */
  url?: string | undefined;
  /**
   * By part: where the file is on the server, and its integrity. As in the manifest of the build, with the path before. The one
   * that runs code is there only where the account allows scripts.
   */
  files: Record<Exclude<Part, 'scripts'>, File> & { scripts?: File };
  /** Hashes of the hosts that are on, see engine/host-hash.ts; every host is, where it is missing. */
  hosts?: number[];
  /** Words of the interface other than the English ones; those that a visit answers with come before them. */
  labels?: Record<string, string>;
  /** Loads a part; it resolves when the part has run. Added by the loader. */
  load?(part: Part): Promise<void>;
}

interface File {
  path: string;
  integrity: string;
}

export type Part =
  | 'core'
  | 'stage'
  | 'extras'
  | 'extras_regex'
  | 'scripts'
  | 'tour'
  | 'survey'
  | 'launcher'
  | 'tooltip'
  | 'embed';
