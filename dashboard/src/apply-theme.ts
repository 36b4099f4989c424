import { applyTheme } from './ui/saved-theme.ts';

/*
 * This file runs before the page is painted, so that nothing flashes in the colors of the system. It is small, so that
 * the page does not stay empty.
 */
applyTheme();
