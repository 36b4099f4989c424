import type { AppRoute } from './route.ts';

/** The guide about a page, or about its open tab: the name of a file below `docs/`, maybe with a heading. */
export function guideOf({ guide }: Pick<AppRoute, 'guide'>, { tab = '' }: Record<string, string>): string {
  return typeof guide === 'string' ? guide : (guide[tab] ?? guide[''] ?? '');
}
