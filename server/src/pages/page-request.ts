import type { Host } from '@usher/domain';
import type { Context } from '../context.ts';
import type { Limits } from '../http/limits.ts';
import type { PublishedAccount } from '../published/published-cache.ts';
import type { Visit } from './visit-token.ts';

/** A request of a page, after the page was admitted. */
export interface PageRequest {
  /** Of the account. Nobody acts here: what a page does is no Change. */
  ctx: Context;
  /** As it was last loaded: a verb that reads its version asks for it anew when that differs. */
  account: PublishedAccount;
  /** The visit it belongs to, where it came with the token of one. Its profile may have been cleared or be gone. */
  visit: Visit | undefined;
  /** Of the page: by `Origin`, else by `href`. */
  host: Host | undefined;
  acceptLanguage: string | undefined;
  /** It came from an administrator, with a secret of this account. */
  bySecret: boolean;
  limits: Limits;
}

/** One that came with the token of a visit. */
export interface VisitRequest extends PageRequest {
  visit: Visit;
}
