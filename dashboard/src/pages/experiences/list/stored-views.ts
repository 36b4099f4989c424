export interface SavedView {
  name: string;
  /** The filters as they are in the address, such as `?kind=tour&state=live`. */
  search: string;
}

const MAX_VIEWS = 20;

/** Reads the views that a browser has stored. What is no view is left out. */
export function readViews(stored: string | null): SavedView[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(list) ? list.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Record<string, unknown>;
  return typeof name === 'string' && typeof search === 'string' && search.startsWith('?');
}

/** Adds a view at the end. A view of the same name is replaced, and the oldest is dropped if there are too many. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-MAX_VIEWS);
}
