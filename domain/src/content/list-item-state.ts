/** What an item of a launcher is like for one user. */
export interface ListItemState {
  /** Whether users can complete it. */
  isTask: boolean;
  isCompleted: boolean;
  /** Whether the task before it must be completed first. */
  isLocked: boolean;
  isHidden: boolean;
}
