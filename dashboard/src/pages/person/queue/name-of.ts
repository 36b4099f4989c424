import type { PersonDetails } from '../../../people/person-details.ts';

/** What people call a person: the name, or else the email or the ID. */
export function nameOf({ name, email, uid }: Pick<PersonDetails, 'name' | 'email' | 'uid'>): string {
  return name ?? email ?? uid;
}
