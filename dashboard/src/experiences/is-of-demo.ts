/** Experiences of the demo have such names. */
const DEMO_NAME = 'Demo: ';
/** The server creates and publishes the Experiences of the demo with one write, when it starts for the first time. */
const WRITE_MS = 5_000;

/** Whether a change of an Experience came with the demo: nobody made it. */
export function isOfDemo({ name, created_at }: { name: string; created_at: string }, changed_at: string): boolean {
  return name.startsWith(DEMO_NAME) && Date.parse(changed_at) - Date.parse(created_at) < WRITE_MS;
}
