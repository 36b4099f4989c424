/** Where this browser remembers the picks of a person. */
export const picksKey = (userId: string) => `usher-picks-${userId}`;
