import type { Field, Fields, FieldType, QuestionName } from './field.ts';

export function initialValues(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]));
}

const shownTypes: readonly FieldType[] = ['shown_text', 'markdown', 'shown_texts', 'question'];

/** Whether users read it, or texts in it. */
export function isShownText(field: Pick<Field, 'type'> | undefined): boolean {
  return !!field && shownTypes.includes(field.type);
}

const shownFields = new WeakMap<Fields, string[]>();

/** The names of the fields that users read, in their order. The texts of every part are listed by them, so they are kept. */
export function listShownFields(fields: Fields): readonly string[] {
  const names = shownFields.get(fields) ?? listNames(fields, isShownText);
  shownFields.set(fields, names);
  return names;
}

/** The names of the fields that are part of the look, in their order. */
export function listLookFields(fields: Fields): string[] {
  return listNames(fields, (field) => field.isLook || isShownText(field));
}

/** The names of the fields that only imported documents have. */
export function listImportedFields(fields: Fields): string[] {
  return listNames(fields, (field) => field.isImported);
}

/** Whether a step of this kind, with this question, shows the field. */
export function isShownIn(
  { kinds, questions, notIn = [] }: Field,
  kind: string,
  question: QuestionName | null = null,
): boolean {
  if (kinds && !kinds.includes(kind)) return false;
  if (questions && (question === null || !questions.includes(question))) return false;
  return !notIn.some((one) => one === kind || one === question);
}

/** "a tour", "an embed". */
export function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}

function listNames(fields: Fields, holds: (field: Field) => unknown): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (holds(field) ? [name] : []));
}
