import { type ExperienceKind, experienceKinds } from '@usher/domain/kinds';
import * as text from '../../messages/text.ts';

export const kindOptions = experienceKinds.map((kind) => ({
  value: kind as string,
  label: text.editor.kindLists[kind],
}));

export function isKind(value: string): value is ExperienceKind {
  return experienceKinds.some((kind) => kind === value);
}
