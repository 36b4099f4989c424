import type { RichText } from '@usher/domain';
import { type Fields, listShownFields, partFields } from '@usher/domain/fields';
import { kinds } from '@usher/domain/kinds';
import type { PageExperience } from '../wire.ts';

interface PageQuestion {
  options?: { id: string; text: RichText }[];
}

/** Finds the path of a text, such as `steps.1.title`, by its identity: two texts may have the same words. */
export type PathOf = (text: RichText | undefined) => string | undefined;

export function listTextPaths(experience: PageExperience): PathOf {
  const paths = new Map<unknown, string>();
  const add = (model: object, fields: Fields, prefix = '') => {
    for (const name of listShownFields(fields)) {
      const value = (model as Record<string, unknown>)[name];
      if (fields[name]?.type === 'question') addQuestion(value as PageQuestion | undefined, `${prefix}${name}`);
      else if (fields[name]?.type === 'shown_texts')
        for (const [index, text] of ((value ?? []) as unknown[]).entries())
          paths.set(text, `${prefix}${name}.${index}`);
      else if (value) paths.set(value, prefix + name);
    }
  };
  const addQuestion = ({ options = [], ...texts }: PageQuestion = {}, path: string) => {
    for (const [key, text] of Object.entries(texts)) if (Array.isArray(text)) paths.set(text, `${path}.${key}`);
    for (const { id, text } of options) paths.set(text, `${path}.options.${id}`);
  };
  add(experience, kinds[experience.kind].fields);
  for (const [at, step] of (experience.steps ?? []).entries()) {
    add(step, partFields.steps, `steps.${at}.`);
    for (const [index, button] of (step.buttons ?? []).entries())
      add(button, partFields.buttons, `steps.${at}.buttons.${index}.`);
  }
  for (const [at, item] of (experience.items ?? []).entries()) add(item, partFields.items, `items.${at}.`);
  return (text) => paths.get(text) ?? pathOfLink(text);
}

/** The launcher creates the link of an item from its title. The address of the link names the item, see read-request.ts. */
function pathOfLink(text: RichText | undefined): string | undefined {
  const link = text?.[0];
  const [name, attributes] = Array.isArray(link) ? (link as unknown[]) : [];
  const href = name === 'a' ? (attributes as { href?: unknown }).href : undefined;
  const [, item] = typeof href === 'string' ? (/^#(items\.\d+)$/.exec(href) ?? []) : [];
  return item && `${item}.title`;
}
