import type { Context } from '../context.ts';
import type { Visit } from '../features/visits/visit-token.ts';
import type { LiveAccount } from '../live/live.ts';

/** A request of a page, after the page was admitted. */
export interface PageRequest {
  /** Of the account. Nobody acts here: what a page does is no Change. */
  ctx: Context;
  account: LiveAccount;
  /** The visit it belongs to, where it came with the token of one. */
  visit: Visit | undefined;
  /** Of the page: by `Origin`, else by `href`. */
  host: string | undefined;
  acceptLanguage: string | undefined;
  /** A secret came with it, and is one of this account. */
  bySecret: boolean;
}
