import { type ExperienceKind, kindOfPath } from '@usher/domain';
import { noEndpoint } from '../../errors.ts';

/** Reads the kind from its plural in a path. */
export function readKind(path: string): ExperienceKind {
  const kind = kindOfPath(path);
  if (!kind) throw noEndpoint();
  return kind;
}
