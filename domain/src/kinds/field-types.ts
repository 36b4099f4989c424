import type { Fields, FieldType } from '../fields/field.ts';
import { partFields } from '../fields/part-fields.ts';
import { experienceKinds, fieldsOfKind } from './kinds.ts';

const all: readonly Fields[] = [...Object.values(partFields), ...experienceKinds.map(fieldsOfKind)];

/** The type of each field by its name. A test checks that a name has the same type everywhere. */
export const fieldTypes: ReadonlyMap<string, FieldType> = new Map(
  all.flatMap((fields) => Object.entries(fields).map(([name, { type }]) => [name, type] as const)),
);

const writtenTypes: readonly (FieldType | undefined)[] = ['text', 'shown_text', 'markdown', 'address', 'code', 'name'];

/** Whether people write what is in it. Everything else is chosen. */
export function isWritten(field: string): boolean {
  return writtenTypes.includes(fieldTypes.get(field));
}

export function isMarkdown(field: string): boolean {
  return fieldTypes.get(field) === 'markdown';
}
