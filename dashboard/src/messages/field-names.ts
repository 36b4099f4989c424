import { allFields } from '@usher/domain/kinds';
import { DARK, themeFields } from '@usher/domain/themes';

/** The name of a field in a sentence: "the link to dismiss". */
export function fieldName(field: string): string {
  return allFields.get(field)?.name ?? themeFieldName(field) ?? field.replaceAll('_', ' ');
}

/** The name of a field of a theme. Each color has a value for light pages and one for dark pages. */
function themeFieldName(field: string): string | undefined {
  const found = themeFields[field];
  if (found?.type !== 'color') return found?.name ?? { css: 'own CSS' }[field];
  return `${found.name} on ${field.startsWith(DARK) ? 'dark' : 'light'} pages`;
}

/** The name of a field as a label: "Link to dismiss". */
export function fieldLabel(field: string): string {
  return capitalize(fieldName(field));
}

export function capitalize(said: string): string {
  return said.charAt(0).toUpperCase() + said.slice(1);
}
