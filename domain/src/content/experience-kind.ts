export const experienceKinds = ['tour', 'survey', 'launcher', 'tooltip', 'embed'] as const;
export type ExperienceKind = (typeof experienceKinds)[number];
/** The kinds as they appear in the paths of the API, in the same order. */
export const kindPaths = ['tours', 'surveys', 'launchers', 'tooltips', 'embeds'] as const;
export type KindPath = (typeof kindPaths)[number];

export function kindOfPath(path: string): ExperienceKind | undefined {
  return experienceKinds[kindPaths.indexOf(path as KindPath)];
}

export function pathOfKind(kind: ExperienceKind): KindPath {
  return `${kind}s`;
}
