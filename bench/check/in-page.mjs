import { render } from '../selectors/in-page.mjs';

/* Runs in the browser: picks an element before a change, and checks it after the change, with the code of the browser script. */

/** @typedef {import('../selectors/render-app.mjs').Element} Element */
/** @typedef {{ selector?: string, text?: string, shadow_selector?: string }} Description */

/**
 * The functions of the browser script. The types of its files need a browser.
 * @typedef {object} Script
 * @property {(input: { elements: Description[], isInline: boolean }) => { state: string, proposal?: Description[] }} checkElement
 * @property {(all: Description[]) => { element?: unknown }} find
 * @property {(element: unknown) => { candidates: (Description & { kind: string })[] }} suggest
 * @property {(candidate: Description & { kind: string }) => boolean} isDurable
 * @property {(candidate: Description) => Description} toDescription
 */

/** @param {Script} script */
export function createRun({ checkElement, find, suggest, isDurable, toDescription }) {
  return {
    /** What a pick stores for each element. @param {Element} before @param {string[]} keys */
    pick: (before, keys) => {
      const elements = render(before);
      return keys.map((key) => {
        const { candidates } = suggest(elements.get(key));
        const durable = candidates.filter(isDurable);
        return (durable[0] ? durable : candidates).map(toDescription);
      });
    },
    /** @param {Element} after @param {string} key @param {Description[]} descriptions */
    check: (after, key, descriptions) => {
      const right = render(after).get(key);
      const { state, proposal } = checkElement({ elements: descriptions, isInline: false });
      const found = find(descriptions).element;
      return {
        state,
        outcome: found === right ? 'right' : found ? 'wrong' : 'missing',
        proposal: proposal && (right && find(proposal).element === right ? 'right' : 'wrong'),
        details: { descriptions, proposal },
      };
    },
  };
}
