import { listMergePaths, parseText } from '../rich-text/merge-tag.ts';

/** Lists the options of a Delivery that the texts and addresses of steps use, such as `manager.name`, in their order. */
export function listUsedOptions(content: unknown): string[] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === 'string') for (const option of optionsIn(part)) found.add(option);
    else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) visit(inner);
  };
  visit(content);
  return [...found];
}

function optionsIn(text: string): string[] {
  if (!text.includes('{{')) return [];
  const nodes = parseText(text);
  return 'problem' in nodes ? [] : listMergePaths(nodes).options;
}
