/** What users do with an Experience that is counted by day. */
export const activities = ['displayed', 'started', 'completed', 'exited', 'snoozed', 'goal', 'step', 'button'] as const;
export type Activity = (typeof activities)[number];
