import { type ExperienceKind, kindOfPath, kindPaths } from '@usher/domain';
import { noEndpoint } from '../../errors.ts';

/** The kind that an address names in the plural. */
export function readKind(path: string): ExperienceKind {
  const kind = kindOfPath(path);
  if (!kind) throw noEndpoint();
  return kind;
}

const withSteps = kindPaths.filter((path) => path !== 'launchers');

/** What `:kind` can be in a path that begins with it; with anything else there is no such path. */
export function wordsIn(path: string): Record<string, readonly string[]> {
  if (!/^\/v3\/\w+\/:kind\b/.test(path)) return {};
  return { kind: path.includes('/steps') ? withSteps : kindPaths };
}
