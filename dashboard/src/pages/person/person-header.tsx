import { PageHeading } from '../../app/page.tsx';
import type { PersonDetails } from './person-details.ts';

/** Who the person is. */
export function PersonHeader({ person }: { person: PersonDetails }) {
  return <PageHeading title={person.name ?? person.uid} />;
}
