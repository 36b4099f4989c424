import { experienceKinds, type ExperienceKind } from '@usher/domain/kinds';
import * as text from '../../../messages/text.ts';

const { plural } = text.experiences;

export const kindOptions = experienceKinds.map((kind) => ({ value: kind as string, label: plural[kind] }));

export function isKind(value: string): value is ExperienceKind {
  return experienceKinds.some((kind) => kind === value);
}
