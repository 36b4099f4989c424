export const ROW_HEIGHT = 40;
export const TWO_LINES_HEIGHT = 56;
export const THUMBNAIL_HEIGHT = 52;
export const HEADING_HEIGHT = 36;
/** How many rows a table shows before it scrolls, unless the page says otherwise. */
export const MAX_VISIBLE_ROWS = 15;
export const BORDERS = 2;

export const cellLook = 'flex h-full items-center px-3 data-focus-visible:-outline-offset-2';
