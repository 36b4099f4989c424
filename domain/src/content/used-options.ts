import { listMergePaths, parseText } from '../rich-text/merge-tag.ts';

/** Lists the options of a Delivery that the texts and addresses of steps use, such as `manager.name`, in their order. */
export function listUsedOptions(content: unknown): string[] {
  return listUsed(content, 'options');
}

/** Lists the properties that the texts and addresses of steps use, such as `plan` or `company.name`. */
export function listUsedProperties(content: unknown): string[] {
  return listUsed(content, 'props');
}

function listUsed(content: unknown, what: 'options' | 'props'): string[] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === 'string') for (const path of pathsIn(part, what)) found.add(path);
    else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) visit(inner);
  };
  visit(content);
  return [...found];
}

function pathsIn(text: string, what: 'options' | 'props'): string[] {
  if (!text.includes('{{')) return [];
  const nodes = parseText(text);
  return 'problem' in nodes ? [] : listMergePaths(nodes)[what];
}
