import { isSamePicture } from '../../../editor/preview/is-same-picture.ts';
import { keysOf } from '../../../ui/keys-of.ts';
import type { PartRowProps } from './part-row.tsx';

/**
 * Typing creates a new document with each key, and a row shows one part of it: in a list of 200 steps, only the changed
 * row is rendered again.
 */
export function isSameRow(before: PartRowProps, after: PartRowProps): boolean {
  const { document: old, ...oldProps } = before;
  const { document, ...props } = after;
  const names = keysOf(props);
  if (!names.every((name) => oldProps[name] === props[name])) return false;
  const { pictureOf: id, index: step } = props;
  return id === undefined || isSamePicture({ id, experience: old, step }, { id, experience: document, step });
}
