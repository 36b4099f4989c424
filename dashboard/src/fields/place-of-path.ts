import { type Document, partsById } from '../editor/document.ts';
import type { Problem } from '../editor/problems.ts';

/** Fields that are more than one value, so that the path leads to a place in them. */
const nested: ReadonlySet<string | undefined> = new Set(['question', 'next']);

/** `steps.0.buttons.1.text` is the field `text` of the second button. In questions and rules, the field is a path. */
export function placeOfPath(document: Document, path: string): { of: string; field: string | undefined } {
  const [list, index, ...rest] = path.split('.');
  const part = list === 'steps' ? document.steps[Number(index)] : document.items?.[Number(index)];
  if ((list !== 'steps' && list !== 'items') || !part || index === undefined)
    return { of: '', field: list || undefined };
  if (rest[0] !== 'buttons' || rest.length < 3 || !('buttons' in part))
    return { of: part.id, field: nested.has(rest[0]) ? rest.join('.') : rest[0] };
  return { of: part.buttons[Number(rest[1])]?.id ?? part.id, field: rest[2] };
}

/** The problems of one field, for the text below it. `problems` has those of the whole document. */
export function problemOf(
  document: Document,
  problems: readonly Problem[],
  of: string,
  field: string,
): string | undefined {
  if (of !== '' && !partsById(document).has(of)) return undefined;
  const found = problems.find(({ path }) => {
    const place = placeOfPath(document, path);
    return place.of === of && place.field === field;
  });
  if (!found) return undefined;
  const plain = found.detail.replaceAll('`', '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}

/** The path of a field, as problems name it: the opposite of `placeOfPath`. */
export function pathOfPlace({ steps, items = [] }: Document, of: string, field: string): string {
  const step = steps.findIndex(({ id, buttons }) => id === of || buttons.some((button) => button.id === of));
  const button = steps[step]?.buttons.findIndex(({ id }) => id === of) ?? -1;
  if (step >= 0) return `steps.${step}.${button < 0 ? '' : `buttons.${button}.`}${field}`;
  const item = items.findIndex(({ id }) => id === of);
  return item < 0 ? field : `items.${item}.${field}`;
}
