import type { RichText } from '@usher/domain';
import type { PageExperience } from '../wire.ts';

/** Finds the path of a text, such as `steps.1.title`, by its identity: two texts may have the same words. */
export type PathOf = (text: RichText | undefined) => string | undefined;

const stepTexts = ['title', 'body', 'dismiss_text', 'label_low', 'label_high', 'placeholder', 'other_text'];
const launcherTexts = ['title', 'description', 'trigger_text', 'empty_state_content'];
const itemTexts = ['title', 'description'];

export function listTextPaths(experience: PageExperience): PathOf {
  const paths = new Map<unknown, string>();
  const add = (model: object, names: readonly string[], prefix: string) => {
    for (const name of names) {
      const text = (model as Record<string, unknown>)[name];
      if (text) paths.set(text, prefix + name);
    }
  };
  for (const [at, step] of (experience.steps ?? []).entries()) {
    add(step, stepTexts, `steps.${at}.`);
    for (const [index, text] of (step.dropdown_items ?? []).entries())
      paths.set(text, `steps.${at}.dropdown_items.${index}`);
    for (const [index, button] of (step.buttons ?? []).entries())
      add(button, ['text'], `steps.${at}.buttons.${index}.`);
  }
  if (experience.kind === 'launcher') add(experience, launcherTexts, '');
  for (const [at, item] of (experience.items ?? []).entries()) add(item, itemTexts, `items.${at}.`);
  return (text) => paths.get(text) ?? pathOfLink(text);
}

/** The link of an item is a text that the launcher makes. Its address names the item, see read-request.ts. */
function pathOfLink(text: RichText | undefined): string | undefined {
  const link = text?.[0];
  const [name, attributes] = Array.isArray(link) ? (link as unknown[]) : [];
  const href = name === 'a' ? (attributes as { href?: unknown }).href : undefined;
  const [, item] = typeof href === 'string' ? (/^#(items\.\d+)$/.exec(href) ?? []) : [];
  return item && `${item}.title`;
}
