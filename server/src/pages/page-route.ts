import type { Static, TSchema } from 'typebox';
import { type Route, type RouteDefinition, route } from '../http/route.ts';
import type { JsonBytes } from './json-bytes.ts';
import type { PageRequest, VisitRequest } from './page-request.ts';

/** An endpoint that pages call. */
interface PageRouteDefinition<Needs extends 'account' | 'visit', Parameters extends TSchema, Output extends TSchema>
  extends Pick<
    RouteDefinition<string, Parameters, Output>,
    'path' | 'summary' | 'parameters' | 'example' | 'output' | 'status' | 'errors'
  > {
  /** The token that a page calls it with: the public token of the account (`account_token`), or `visit_token`. */
  needs: Needs;
  /** Whether an administrator calls it, with a secret instead of a token. Then the page may be on any host. */
  bySecret?(parameters: Static<Parameters>): boolean;
  run(
    page: Needs extends 'visit' ? VisitRequest : PageRequest,
    parameters: Static<Parameters>,
  ): Promise<Static<Output> | JsonBytes>;
}

export interface PageRoute extends Omit<Route, 'run'> {
  needs: 'account' | 'visit';
  bySecret(parameters: Record<string, unknown>): boolean;
  run(page: PageRequest, parameters: Record<string, unknown>): Promise<unknown>;
}

export function pageRoute<Needs extends 'account' | 'visit', Output extends TSchema, Parameters extends TSchema>(
  definition: PageRouteDefinition<Needs, Parameters, Output>,
): PageRoute {
  const { run, needs, bySecret = () => false, ...rest } = definition;
  return {
    ...route({ ...rest, methods: ['POST'], run: () => Promise.reject(new Error('Only pages call this route')) }),
    needs,
    bySecret: bySecret as PageRoute['bySecret'],
    run: run as PageRoute['run'],
  };
}
