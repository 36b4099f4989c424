/** Experiences of the demo have such names. */
const DEMO_NAME = 'Demo: ';
/** The server creates and publishes them with one write, when it starts first. */
const WRITE_MS = 5_000;

/** Whether a change of an Experience came with the demo: nobody made it. */
export function isOfDemo({ name, created_at }: { name: string; created_at: string }, changed_at: string): boolean {
  return name.startsWith(DEMO_NAME) && Date.parse(changed_at) - Date.parse(created_at) < WRITE_MS;
}
