import type { PersonProperty } from '../../../people/person-details.ts';

/** The properties whose name or value contains all words of a search. */
export function findProperties(properties: readonly PersonProperty[], search: string): readonly PersonProperty[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return properties;
  return properties.filter(({ prop, name, value }) => {
    const said = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const all = `${prop} ${name} ${said}`.toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  });
}
