import { type ExperienceKind, kindOfPath } from '@usher/domain';
import { noEndpoint } from '../../errors.ts';

/** The kind that an address names in the plural. */
export function readKind(path: string): ExperienceKind {
  const kind = kindOfPath(path);
  if (!kind) throw noEndpoint();
  return kind;
}
