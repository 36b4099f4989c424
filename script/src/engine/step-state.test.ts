import { describe, expect, it } from 'vitest';
import { type StepInputs, stepState } from './step-state.ts';

const target = { name: 'target' };
const other = { name: 'other' };
const found = { find: () => ({ element: target }) };
const missing = { find: () => ({ reason: 'hidden' as const }) };

/**
 * A step in the center of the window, on its page, that waits for nothing. A value throws if the test does not expect
 * it to be read.
 */
const centered: StepInputs<typeof target> = {
  ...{ element: false, target: false, noElement: false, event: undefined, skipTriggers: undefined },
  ...{ isPage: true, isTriggered: true, lastTarget: null },
  hasModal: () => false,
  isThere: () => true,
  isCovered: () => false,
  find: () => {
    throw new Error('The page was searched.');
  },
};
const placed = { element: true, target: true };
const clicked = { event: 'click' as const, target: true, isTriggered: true };

describe('stepState', () => {
  it.each<[string, Partial<typeof centered>, unknown]>([
    ['shows in the window', {}, null],
    ['waits on another page', { isPage: false }, 'url'],
    ['waits until URL patterns can be read', { isPage: undefined }, 'pending'],
    ['waits for the hooks of the page', { isPreparing: true }, 'pending'],
    ['waits for a modal dialog', { hasModal: () => true }, 'covered'],
    ['goes when a modal dialog opens', { hasModal: () => true, isShown: true }, 'covered'],
    ['stays in the window without a search', { element: true, isShown: true }, null],

    ['shows at its element', { ...placed, ...found }, target],
    ['shows at its element inside of a modal dialog', { ...placed, ...found, hasModal: () => true }, target],
    ['moves to another element', { ...placed, ...found, isShown: true, lastTarget: other }, target],
    ['says why its element cannot be used', { ...placed, ...missing }, 'hidden'],
    ['waits for what covers its element', { ...placed, ...found, isCovered: () => true }, 'covered'],

    ['shows in the window when its element is there', { element: true, ...found }, null],
    ['waits for its element to show in the window', { element: true, ...missing }, 'hidden'],
    ['shows while its element is missing', { noElement: true, ...missing }, null],
    ['waits until its element is gone', { noElement: true, ...found }, 'pending'],

    ['shows without its element when asked for', { ...placed, ...missing, skipTriggers: true }, null],
    ['shows at its element when asked for', { ...placed, ...found, skipTriggers: true }, target],
    ['waits for an element it has been at', { ...placed, ...missing, skipTriggers: true, wasPlaced: true }, 'hidden'],
    [
      'shows beside an element that should be gone when asked for',
      { noElement: true, ...found, skipTriggers: true },
      null,
    ],

    ['can be triggered before there is an element', { ...clicked, ...placed, isTriggered: false }, null],
    ['shows in the window after a click', { ...clicked, target: false }, null],
    ['shows where the click was', { ...clicked, lastTarget: other }, other],
    ['waits for what covers where the click was', { ...clicked, lastTarget: other, isCovered: () => true }, 'covered'],
    ['waits when what was clicked is gone', { ...clicked, lastTarget: other, isThere: () => false }, 'not_found'],
    ['takes its element when what was clicked is gone', { ...clicked, ...placed, ...found, lastTarget: null }, target],
  ])('%s', (_, inputs, expected) => {
    expect(stepState({ ...centered, ...inputs })).toBe(expected);
  });
});
