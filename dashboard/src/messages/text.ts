/** The texts in the language of the dashboard. There is one language so far. */
export { en as text } from './en.ts';
