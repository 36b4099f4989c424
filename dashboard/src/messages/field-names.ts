import { fieldName } from '@usher/domain/sentences';

/** The name of a field as a label: "Link to dismiss". */
export function fieldLabel(field: string): string {
  return capitalize(fieldName(field));
}

export function capitalize(said: string): string {
  return said.charAt(0).toUpperCase() + said.slice(1);
}
