/** Tables that a later migration renames, by the name under which an earlier migration creates them. */
export const renamedTables = { lives: 'published_versions', tidings: 'webhook_events' } as const;
