import type { Field, Fields, FieldType } from '../fields/field.ts';
import { partFields } from '../fields/part-fields.ts';
import { experienceKinds, fieldsOfKind } from './kinds.ts';

/** Every field by its key. A test checks that a key has the same type and name everywhere. */
export const allFields: ReadonlyMap<string, Field> = new Map(
  [...Object.values<Fields>(partFields), ...experienceKinds.map(fieldsOfKind)].flatMap((fields) =>
    Object.entries(fields),
  ),
);

const writtenTypes: readonly (FieldType | undefined)[] = ['text', 'shown_text', 'markdown', 'address', 'code', 'name'];

/** Whether people write what is in it. Everything else is chosen. */
export function isWritten(field: string): boolean {
  return writtenTypes.includes(allFields.get(field)?.type);
}

export function isMarkdown(field: string): boolean {
  return allFields.get(field)?.type === 'markdown';
}
