/*
 * How a document of another v3 service describes an element, besides the fields of `PageElement`. Pages do not get these fields:
 * page-element.ts makes a selector of them.
 */

/** Only what was imported is present. */
export interface ImportedElement {
  description?: string | null;
  /** Which of the fields below find the element. */
  use?: string[] | null;
  /** A CSS selector from the root of the page. */
  path?: string | null;
  tag?: string | null;
  attr_id?: string | null;
  /** Names of classes, with spaces between them. */
  attr_class?: string | null;
  attr_href?: string | null;
  attr_title?: string | null;
  attr_type?: string | null;
  attr_name?: string | null;
  /** The `data-` attributes: an object, or a text such as `data-test="save"`. */
  attr_data?: string | Record<string, string> | null;
  attr_aria_label?: string | null;
  attr_aria_labelledby?: string | null;
  /** How many elements matched when the element was chosen. */
  arity?: number | null;
  /** Which of these it was, from 0. */
  path_index?: number | null;
}

/** The fields that can find an element. `use` names some of them. */
export const importedSearchKeys = [
  'path',
  'tag',
  'attr_id',
  'attr_class',
  'attr_href',
  'attr_title',
  'attr_type',
  'attr_name',
  'attr_data',
  'attr_aria_label',
  'attr_aria_labelledby',
  'arity',
  'path_index',
] as const;

export const importedElementKeys = ['description', 'use', ...importedSearchKeys] as const;
