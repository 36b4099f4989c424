import type { Host } from '@usher/domain';
import type { Context } from '../context.ts';
import type { Limits } from '../http/limits.ts';
import type { PublishedAccount } from '../published/published-account.ts';
import type { PickRow } from './pick-token.ts';
import type { ReportBudget } from './report-budget.ts';
import type { StreamTicket } from './stream-ticket.ts';
import type { Visit } from './visit-token.ts';

/** An authenticated request of a page whose host is enabled. */
export interface PageRequest {
  /** The context of the account. It has no actor: what a page does is not recorded as a Change. */
  ctx: Context;
  /** The account as it was last loaded. A verb that reads a newer version number loads the account again. */
  account: PublishedAccount;
  /** The visit, if the request came with its token. Its profile may have been cleared or deleted since. */
  visit: Visit | undefined;
  /** The pick, if the request came with its token. */
  pick: PickRow | undefined;
  /** The ticket for a stream, if the request came with one. */
  ticket: StreamTicket | undefined;
  /** The host of the page: by `Origin`, else by `href`. */
  host: Host | undefined;
  acceptLanguage: string | undefined;
  userAgent: string | undefined;
  /** Whether an administrator sent the request, with a secret of this account. */
  bySecret: boolean;
  reportBudget: ReportBudget;
  limits: Limits;
  /** The address of the client. */
  ip: string;
}

/** A request that came with the token of a visit. */
export interface VisitRequest extends PageRequest {
  visit: Visit;
}

/** A request that came with the token of a pick. */
export interface PickRequest extends PageRequest {
  pick: PickRow;
}

/** A request that came with a ticket for a stream. */
export interface TicketRequest extends PageRequest {
  ticket: StreamTicket;
}
