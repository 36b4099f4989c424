/**
 * The exports for the rest of the editor: the row that picks an element, the targets of a pick, and the button that
 * plays the draft.
 */
export { PickRow } from './pick-row.tsx';
export { buttonTarget, launcherTarget, stepTarget } from './pick-target.ts';
export { TryButton } from './try/try-button.tsx';
