import { compileUrls, listUrlPrefixes, parsePageAddress, type QuantifierUrl, type VisitedPath } from '@usher/domain';
import type { LiveStep } from './live-steps.ts';

/** A page to open in the build, and the steps that show on it. */
export interface PlannedPage {
  /** The path with its query and hash. */
  path: string;
  steps: LiveStep[];
}

export interface Plan {
  /** The most visited pages first. */
  pages: PlannedPage[];
  /** Why no page is opened for a step. */
  unreached: Map<LiveStep, string>;
}

/** More pages than this are not opened for one step: a step on every page would otherwise open all. */
export const MAX_PAGES_PER_STEP = 30;

/**
 * Decides which pages are opened: the pages that users visit, that the rules of a step name, and that the command line names. The
 * rules are for the hosts of users, and the build is on another one, so a path is tried on each known host.
 */
export function planPages(
  steps: readonly LiveStep[],
  visited: readonly Pick<VisitedPath, 'host' | 'path'>[],
  extra: readonly string[],
): Plan {
  const byPath = new Map<string, LiveStep[]>();
  const unreached = new Map<LiveStep, string>();
  const hosts = new Set(['localhost', ...visited.map(({ host }) => host)]);
  const openable = visited.filter(({ path }) => !path.includes('*'));
  const plan = steps.map((step) => {
    const matches = compileUrls(step.urls);
    const isPage = (host: string, path: string) => matches(parsePageAddress(`https://${host}${path}`));
    const ownHosts = [...hosts, ...listUrlPrefixes(step.urls).flatMap(({ hostname }) => hostname ?? [])];
    const given = extra.filter((path) => ownHosts.some((host) => isPage(host, path)));
    const named = step.urls.flatMap(pathOfRule).filter((path) => ownHosts.some((host) => isPage(host, path)));
    const ofUsers = openable.filter(({ host, path }) => isPage(host, path)).map(({ path }) => path);
    const paths = [...new Set([...given, ...ofUsers, ...named])].slice(0, MAX_PAGES_PER_STEP);
    const variable = visited.find(({ host, path }) => path.includes('*') && isPage(host, path));
    if (paths.length === 0) unreached.set(step, reasonOf(variable?.path));
    return { step, paths };
  });
  // All steps of a page are checked together, in the order of the visits.
  const order = [...extra, ...openable.map(({ path }) => path), ...plan.flatMap(({ paths }) => paths)];
  for (const path of new Set(order)) {
    const ofPage = plan.filter(({ paths }) => paths.includes(path)).map(({ step }) => step);
    if (ofPage.length > 0) byPath.set(path, ofPage);
  }
  return { pages: [...byPath].map(([path, steps]) => ({ path, steps })), unreached };
}

/** The path that a rule names, if it has no wildcards. */
function pathOfRule({ url, match_type }: QuantifierUrl): string[] {
  if (!/^(simple|exact)$/.test(match_type) || (match_type === 'simple' && url.includes('*'))) return [];
  const whole = /^[/?#]/.test(url) ? `https://localhost${url}` : /^https?:\/\//i.test(url) ? url : `https://${url}`;
  if (!URL.canParse(whole)) return [];
  const { pathname, search, hash } = new URL(whole);
  return [pathname + search + hash];
}

function reasonOf(variable: string | undefined): string {
  return variable === undefined
    ? 'users have visited no page of its rules: name one with --path'
    : `users visit pages such as ${variable}: name one with --path`;
}
