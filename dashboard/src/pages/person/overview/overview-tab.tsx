import type { PersonTabProps } from '../person-tabs.ts';

export default function OverviewTab({ person }: PersonTabProps) {
  return <p>{person.uid}</p>;
}
