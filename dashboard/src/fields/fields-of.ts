import { setFields, setPart } from '../editor/commands.ts';
import type { Editor } from '../editor/use-editor.ts';
import { fieldLabel } from '../messages/field-names.ts';
import * as text from '../messages/text.ts';
import { fieldMark } from './field-focus.ts';
import { problemOf } from './place-of-path.ts';

type Values = Record<string, unknown>;
const texts = text.content;

/**
 * Binds the fields of the Experience itself, or of one part of it, to the inputs that show them. With `inside`, these are the fields
 * of an object that the part has in this field: of its question.
 */
export function fieldsOf(editor: Editor, of: string, part: object, inside?: 'question') {
  const values: object = inside === undefined ? part : (Reflect.get(part, inside) ?? {});
  const pathOf = (name: string) => (inside === undefined ? name : `${inside}.${name}`);
  const read = (name: string): unknown => Reflect.get(values, name);
  const readText = (name: string) => {
    const value = read(name);
    return typeof value === 'string' ? value : '';
  };
  const set = (changes: Values, isOwnStep = false) => {
    const all = inside === undefined ? changes : { [inside]: { ...values, ...changes } };
    const { apply, key } = of === '' ? setFields(all) : setPart(of, all);
    editor.change({ apply, ...(!isOwnStep && key !== undefined && { key }) });
  };
  const mark = (name: string) => ({
    error: problemOf(editor.document, editor.problems, of, pathOf(name)),
    ...fieldMark(of, pathOf(name)),
  });
  return {
    of,
    set,
    /** A text, which is null when it is empty. A change that is not typed is undone separately. */
    text: (name: string) => ({
      label: texts.fields[pathOf(name)] ?? fieldLabel(pathOf(name)),
      value: readText(name),
      onChange: (value: string, isOwnStep = false) => set({ [name]: value === '' ? null : value }, isOwnStep),
      isReadOnly: editor.isReadOnly,
      ...mark(name),
    }),
    choice: <Value extends string>(name: string) => ({
      value: (read(name) as Value | null) ?? null,
      onChange: (value: Value) => set({ [name]: value }),
      isDisabled: editor.isReadOnly,
      ...mark(name),
    }),
    flag: (name: string) => ({
      isSelected: read(name) === true,
      onChange: (value: boolean) => set({ [name]: value }),
      isDisabled: editor.isReadOnly,
      ...fieldMark(of, pathOf(name)),
    }),
    read,
  };
}

export type Fields = ReturnType<typeof fieldsOf>;
