import type { PersonTabProps } from '../person-tabs.ts';

export default function QueueTab({ person }: PersonTabProps) {
  return <p>{person.uid}</p>;
}
