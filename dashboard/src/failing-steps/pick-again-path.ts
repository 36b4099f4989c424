/** What is known about a step that fails. */
interface Step {
  experience_id: string;
  step_id: string;
  path: string;
}

/**
 * The address at which a new element is picked, for a step or for a whole launcher, on the page where the element was
 * not found. A path with `*` in place of a part cannot be opened, so the dialog suggests a page.
 */
export function pickAgainPath({ experience_id, step_id, path }: Step, index: number | null): string | undefined {
  const isLauncher = step_id === experience_id;
  if (!isLauncher && index === null) return undefined;
  const field = isLauncher ? 'trigger' : `steps.${index}.elements`;
  const page = path.includes('*') ? '' : `&page=${encodeURIComponent(path)}`;
  return `/app/experiences/${experience_id}?field=${field}&pick=${step_id}${page}`;
}
