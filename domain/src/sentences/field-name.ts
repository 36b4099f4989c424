import { questionFields } from '../fields/question-fields.ts';
import { allFields } from '../kinds/all-fields.ts';
import { DARK, themeFields } from '../themes/theme-fields.ts';

/** The name of a field in a sentence: "the link to dismiss". Fields of a question have paths such as `question.error_text`. */
export function fieldName(field: string): string {
  const [, inner] = /^question\.(\w+)/.exec(field) ?? [];
  if (inner !== undefined) return nameOf(questionFields, inner) ?? inner;
  return allFields.get(field)?.name ?? themeFieldName(field) ?? field.replaceAll('_', ' ');
}

function nameOf(fields: Readonly<Record<string, { name: string }>>, field: string): string | undefined {
  return Object.hasOwn(fields, field) ? fields[field]?.name : undefined;
}

/** The name of a field of a theme. Each color has a value for light pages and one for dark pages. */
function themeFieldName(field: string): string | undefined {
  const found = themeFields[field];
  if (found?.type !== 'color') return found?.name ?? { css: 'own CSS' }[field];
  return `${found.name} on ${field.startsWith(DARK) ? 'dark' : 'light'} pages`;
}
