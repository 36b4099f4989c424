import type { InstallationEntryKind } from '@usher/domain';
import type { Static, TSchema } from 'typebox';
import { type Route, type RouteDefinition, route } from '../http/route.ts';
import type { JsonBytes } from './json-bytes.ts';
import type { PageRequest, VisitRequest } from './page-request.ts';

/** `debug` is a visit token together with a debug token. */
type PageToken = 'account' | 'visit' | 'debug';

/** An endpoint that pages call. */
interface PageRouteDefinition<Needs extends PageToken, Parameters extends TSchema, Output extends TSchema>
  extends Pick<
    RouteDefinition<string, Parameters, Output>,
    'path' | 'summary' | 'parameters' | 'example' | 'output' | 'status' | 'errors'
  > {
  /** What a page calls it with: `account_token` (which is public), `visit_token`, or `visit_token` with `debug_token`. */
  needs: Needs;
  /** As what it is recorded while an administrator watches. Left out: it is not. */
  logsAs?: InstallationEntryKind;
  /** Whether an administrator calls it, with a secret instead of a token. Then the page may be on any host. */
  bySecret?(parameters: Static<Parameters>): boolean;
  run(
    page: Needs extends 'account' ? PageRequest : VisitRequest,
    parameters: Static<Parameters>,
  ): Promise<Static<Output> | JsonBytes>;
}

export interface PageRoute extends Omit<Route, 'run'> {
  needs: PageToken;
  logsAs: InstallationEntryKind | undefined;
  bySecret(parameters: Record<string, unknown>): boolean;
  run(page: PageRequest, parameters: Record<string, unknown>): Promise<unknown>;
}

export function pageRoute<Needs extends PageToken, Output extends TSchema, Parameters extends TSchema>(
  definition: PageRouteDefinition<Needs, Parameters, Output>,
): PageRoute {
  const { run, needs, logsAs, bySecret = () => false, ...rest } = definition;
  return {
    ...route({ ...rest, methods: ['POST'], run: () => Promise.reject(new Error('Only pages call this route')) }),
    needs,
    logsAs,
    bySecret: bySecret as PageRoute['bySecret'],
    run: run as PageRoute['run'],
  };
}
