import { allFields } from '@usher/domain/kinds';

/** The name of a field in a sentence: "the link to dismiss". */
export function fieldName(field: string): string {
  return allFields.get(field)?.name ?? field.replaceAll('_', ' ');
}

/** The name of a field as a label: "Link to dismiss". */
export function fieldLabel(field: string): string {
  return capitalize(fieldName(field));
}

export function capitalize(said: string): string {
  return said.charAt(0).toUpperCase() + said.slice(1);
}
