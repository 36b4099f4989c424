/** What the rest of the editor uses: the row that picks an element, what it is picked for, and the button that plays the draft. */
export { PickRow } from './pick-row.tsx';
export { buttonTarget, launcherTarget, stepTarget } from './pick-target.ts';
export { TryButton } from './try/try-button.tsx';
