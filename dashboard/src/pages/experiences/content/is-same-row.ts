import { isSamePicture } from '../../../editor/preview/is-same-picture.ts';
import { keysOf } from '../../../ui/keys-of.ts';
import type { PartRowProps } from './part-row.tsx';

/** Typing gives a new document with each key. A row shows one part of it: those of 200 steps that have not changed stay as they are. */
export function isSameRow(before: PartRowProps, after: PartRowProps): boolean {
  const { document: old, ...oldProps } = before;
  const { document, ...props } = after;
  const names = keysOf(props);
  if (!names.every((name) => oldProps[name] === props[name])) return false;
  const { pictureOf: id, index: step } = props;
  return id === undefined || isSamePicture({ id, experience: old, step }, { id, experience: document, step });
}
