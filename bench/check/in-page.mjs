import { checkElement } from '../../script/src/check/check-element.ts';
import { find } from '../../script/src/page/find.ts';
import { isDurable, suggest, toDescription } from '../../script/src/picker/selectors/suggest.ts';
import { render } from '../selectors/in-page.mjs';

/* Runs in the browser: picks an element before a change, and checks it after the change, with the code of the browser script. */

/** @typedef {import('../selectors/render-app.mjs').Element} Element */

/** What a pick stores for each element. @param {Element} before @param {string[]} keys */
export function pick(before, keys) {
  const elements = render(before);
  return keys.map((key) => {
    const { candidates } = suggest(/** @type {any} */ (elements.get(key)));
    const durable = candidates.filter(isDurable);
    return (durable[0] ? durable : candidates).map(toDescription);
  });
}

/** @param {Element} after @param {string} key @param {any[]} descriptions */
export function check(after, key, descriptions) {
  const right = render(after).get(key);
  const { state, proposal } = checkElement({ elements: descriptions, isInline: false });
  const leadsTo = (/** @type {any[]} */ list) => /** @type {{ element?: unknown }} */ (find(list)).element;
  const found = leadsTo(descriptions);
  return {
    state,
    outcome: found === right ? 'right' : found ? 'wrong' : 'missing',
    proposal: proposal && (leadsTo(proposal) === right && right ? 'right' : 'wrong'),
    details: { descriptions, proposal },
  };
}
