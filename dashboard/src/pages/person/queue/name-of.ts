import type { PersonDetails } from '../../../people/person-details.ts';

/** The name of a person, or else the email or the ID. */
export function nameOf({ name, email, uid }: Pick<PersonDetails, 'name' | 'email' | 'uid'>): string {
  return name ?? email ?? uid;
}
