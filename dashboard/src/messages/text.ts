/** The texts in the language of the dashboard. There is one language so far. */
export * from './en.ts';
