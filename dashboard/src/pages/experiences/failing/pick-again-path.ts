/** What is known about a step that fails. */
interface Step {
  experience_id: string;
  step_id: string;
  path: string;
}

/**
 * The address at which a new element for a step is picked, on the page where it was missed. A launcher has its selector in a field
 * instead. A path in which `*` replaces something cannot be opened, so the dialog suggests a page.
 */
export function pickAgainPath({ experience_id, step_id, path }: Step, index: number | null): string | undefined {
  const address = `/app/experiences/${experience_id}`;
  if (step_id === experience_id) return `${address}?field=trigger`;
  if (index === null) return undefined;
  const page = path.includes('*') ? '' : `&page=${encodeURIComponent(path)}`;
  return `${address}?field=steps.${index}.elements&pick=${step_id}${page}`;
}
