/** Replaces the name of a forgotten user in a filter. It matches nobody, as the name itself would not any more. */
export const FORGOTTEN = '(forgotten)';

export type User = { id: string; uid: string; email: string | null };
