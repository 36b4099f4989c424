import type { InstallationEntryKind } from '@usher/domain';
import type { Static, TSchema } from 'typebox';
import type { EventStream } from '../http/event-stream.ts';
import { type Route, type RouteDefinition, route } from '../http/route.ts';
import type { JsonBytes } from './json-bytes.ts';
import type { PageRequest, PickRequest, TicketRequest, VisitRequest } from './page-request.ts';

/** `debug` is a visit token together with a debug token; `ticket` is a ticket for a stream. */
type PageToken = 'account' | 'visit' | 'debug' | 'pick' | 'ticket';

interface Requests {
  account: PageRequest;
  visit: VisitRequest;
  debug: VisitRequest;
  pick: PickRequest;
  ticket: TicketRequest;
}

/** An endpoint that pages call. */
interface PageRouteDefinition<Needs extends PageToken, Parameters extends TSchema, Output extends TSchema>
  extends Pick<
    RouteDefinition<string, Parameters, Output>,
    | 'path'
    | 'summary'
    | 'description'
    | 'operation'
    | 'parameters'
    | 'example'
    | 'output'
    | 'status'
    | 'errors'
    | 'runsOnFullDisk'
    | 'mediaTypes'
  > {
  /** POST, if it is missing. */
  methods?: RouteDefinition<string, Parameters, Output>['methods'];
  /**
   * The tokens that a page sends: `account_token` (which is public), `visit_token`, `visit_token` with `debug_token`,
   * `pick_token`, or a ticket.
   */
  needs: Needs;
  /** The kind of the entry that records this request while an administrator watches. Without a kind, nothing is recorded. */
  logsAs?: InstallationEntryKind;
  /** Whether an administrator sends the request, with a secret instead of a token. Then the page may be on any host. */
  bySecret?(parameters: Static<Parameters>): boolean;
  /** Whether only the header `Origin`, which no page can change, says on which host the page is. */
  byOrigin?: boolean;
  run(page: Requests[Needs], parameters: Static<Parameters>): Promise<Static<Output> | JsonBytes | EventStream>;
}

export interface PageRoute extends Omit<Route, 'run'> {
  needs: PageToken;
  logsAs: InstallationEntryKind | undefined;
  byOrigin: boolean;
  bySecret(parameters: Record<string, unknown>): boolean;
  run(page: PageRequest, parameters: Record<string, unknown>): Promise<unknown>;
}

export function pageRoute<Needs extends PageToken, Output extends TSchema, Parameters extends TSchema>(
  definition: PageRouteDefinition<Needs, Parameters, Output>,
): PageRoute {
  const { run, needs, logsAs, bySecret = () => false, byOrigin = false, ...rest } = definition;
  return {
    ...route({ methods: ['POST'], ...rest, run: () => Promise.reject(new Error('Only pages call this route')) }),
    needs,
    logsAs,
    byOrigin,
    bySecret: bySecret as PageRoute['bySecret'],
    run: run as PageRoute['run'],
  };
}
