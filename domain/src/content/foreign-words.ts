import { addProblem } from '../basics/input.ts';
import type { Fields } from '../fields/field.ts';
import { partFields } from '../fields/part-fields.ts';
import type { Document } from './experience.ts';

/*
 * Words of other v3 services, which only an import brings. They stay where they are, and do nothing.
 */

/** A word at its place in the document. */
export interface ForeignWord {
  word: string;
  /** Such as `steps.0.buttons.1.additional_actions.0`. */
  path: string;
  /** What to use instead. */
  instead: string;
}

type Part = Record<string, unknown>;

export function listForeignWords({ steps, items = [] }: Pick<Document, 'steps' | 'items'>): ForeignWord[] {
  return [
    ...steps.flatMap((step, at) => [
      ...listInPart(step, partFields.steps, `steps.${at}`),
      ...step.buttons.flatMap((button, index) =>
        listInPart(button, partFields.buttons, `steps.${at}.buttons.${index}`),
      ),
    ]),
    ...items.flatMap((item, at) => listInPart(item, partFields.items, `items.${at}`)),
  ];
}

function listInPart(part: Part, fields: Fields, path: string): ForeignWord[] {
  return Object.entries(fields).flatMap(([name, { foreign }]) => {
    if (!foreign) return [];
    const words = [part[name] ?? []].flat() as string[];
    return words.flatMap((word, at) => {
      const instead = Object.hasOwn(foreign, word) ? foreign[word] : undefined;
      return instead === undefined ? [] : { word, path: `${path}.${name}.${at}`, instead };
    });
  });
}

/** Rejects foreign words, except words that the document has already. */
export function checkForeignWords(before: Document | undefined, after: Document, problems: string[]): void {
  const known = new Set(before ? listForeignWords(before).map(({ word }) => word) : []);
  for (const { word, path, instead } of listForeignWords(after))
    if (!known.has(word))
      addProblem(
        problems,
        path.replace(/\.(\d+)/g, '[$1]'),
        `is \`${word}\`, which only imported documents have: ${instead}`,
      );
}
