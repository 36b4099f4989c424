/** How often an event of a backend has come that open pages of the user wait for. */
export function wakeCounts(): string[] {
  return ['alter table profiles add column wake_count integer not null default 0'];
}
