import { applyTheme } from './ui/saved-theme.ts';

/* The page is painted when this has run: nothing flashes in the colors of the system. It is small, so that the page does not stay empty. */
applyTheme();
