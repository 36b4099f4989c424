import { kinds } from '../kinds/kinds.ts';
import type { Document } from './experience.ts';

const MAX_TITLES = 3;
const MAX_TITLE_LENGTH = 60;

/** What an Experience consists of, in a line: "3 steps: “Hello”, “Your team”, “Done”". Null when it is empty. */
export function summarizeContent(document: Document): string | null {
  const { parts } = kinds[document.kind];
  const list = document[parts] ?? [];
  if (list.length === 0) return null;
  const count = `${list.length} ${list.length === 1 ? parts.slice(0, -1) : parts}`;
  const titles = list.flatMap(({ title }) => (title ? [`“${truncate(title)}”`] : []));
  const rest = titles.length > MAX_TITLES ? ', …' : '';
  return titles.length === 0 ? count : `${count}: ${titles.slice(0, MAX_TITLES).join(', ')}${rest}`;
}

function truncate(title: string): string {
  const characters = [...title];
  return characters.length <= MAX_TITLE_LENGTH ? title : `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…`;
}
