import type { ExperienceTabProps } from '../experience-tabs.ts';

/** What users see of an Experience, and how it is written. */
export default function ContentTab({ editor }: ExperienceTabProps) {
  return <p>{editor.document.name}</p>;
}
