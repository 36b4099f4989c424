import type { SavedView } from '@usher/domain';

const MAX_VIEWS = 20;

/** Adds a view at the end. A view of the same name is replaced, and the oldest is dropped if there are too many. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-MAX_VIEWS);
}
