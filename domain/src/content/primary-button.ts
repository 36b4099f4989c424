/*
 * Which button of a step is the primary one, and where it is. This file is part of the browser script, and captures are
 * drawn by the same rule.
 */

interface WithAction {
  tour_action?: string | null;
}

/** How many steps a button leads on. A button without an action for the tour leads on, too. */
export function stepOffsetOf({ tour_action }: WithAction): number {
  return tour_action === 'previous' ? -1 : tour_action === 'exit' || tour_action === 'snooze' ? 0 : 1;
}

/** The first button that leads on, otherwise the first one. */
export function findPrimaryButton<Of extends WithAction>(buttons: readonly Of[]): Of | undefined {
  return buttons.find((button) => stepOffsetOf(button) > 0) ?? buttons[0];
}

/** The primary button is always at the same side, whatever the order of the author. */
export function moveLast<Of>(items: readonly Of[], last: Of | undefined): Of[] {
  return [...items].sort((a, b) => Number(a === last) - Number(b === last));
}
