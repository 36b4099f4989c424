/** The names of the Experiences of the demo begin with this. */
const DEMO_NAME = 'Demo: ';
/** The server creates and publishes the Experiences of the demo within this time, when it starts for the first time. */
const WRITE_MS = 5_000;

export const hasDemoName = ({ name }: { name: string }) => name.startsWith(DEMO_NAME);

/** Whether a change of an Experience came with the demo, so that no administrator made it. */
export function isOfDemo({ name, created_at }: { name: string; created_at: string }, changed_at: string): boolean {
  return hasDemoName({ name }) && Date.parse(changed_at) - Date.parse(created_at) < WRITE_MS;
}
