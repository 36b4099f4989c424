import { experienceKinds, kindPaths, kinds, pathOfKind } from '@usher/domain';

const kindsWithSteps = experienceKinds.filter((kind) => kinds[kind].parts === 'steps').map(pathOfKind);

/** The allowed values of path parameters: `:kind` at the start of a path is a kind of Experience, in the plural. */
export function pathValuesOf(path: string): Record<string, readonly string[]> {
  if (!/^\/v3\/\w+\/:kind\b/.test(path)) return {};
  return { kind: path.includes('/steps') ? kindsWithSteps : kindPaths };
}
