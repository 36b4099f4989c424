import type { PersonTabProps } from '../person-tabs.ts';

export default function TimelineTab({ person }: PersonTabProps) {
  return <p>{person.uid}</p>;
}
