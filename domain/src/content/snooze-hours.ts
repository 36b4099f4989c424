/* When a step that a user snoozes comes back. This file is part of the browser script. */

interface WithSnooze {
  snooze_hours?: number | null;
  snooze_choices?: readonly string[];
}

/** A step whose author has chosen no time comes back after this one. */
export const DEFAULT_SNOOZE_HOURS = 24;

/** Lists the times that users can choose from, in hours, the shortest first. Empty if the author has chosen none. */
export function listSnoozeHours({ snooze_hours, snooze_choices = [] }: WithSnooze): number[] {
  const hours = snooze_choices.map((choice) => Number.parseInt(choice, 10) * (choice.endsWith('d') ? 24 : 1));
  return [...new Set(snooze_hours == null ? hours : [...hours, snooze_hours])].sort((a, b) => a - b);
}
