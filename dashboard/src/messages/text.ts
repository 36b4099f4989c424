/** The texts in the language of the dashboard. There is one language so far. */
export * as text from './en.ts';
