import { expect, it } from 'vitest';
import { describeStart } from './describe-start.ts';
import type { Document } from './experience.ts';

const tour = (step: object, kind = 'tour') =>
  ({ kind, steps: [{ step_trigger: 'page_load', secondary_trigger: null, elements: [], ...step }] }) as never;

it.each([
  [{}, null],
  [{ secondary_trigger: 'exit_intent' }, 'they are about to leave the page'],
  [{ secondary_trigger: 'scroll_percent', trigger_scroll_percent: 40 }, 'they have scrolled 40 % of the page'],
  [
    { secondary_trigger: 'scroll_percent', trigger_scroll_percent: 40, elements: [{}] },
    'they have scrolled 40 % of what its element scrolls in',
  ],
  [{ secondary_trigger: 'smart_delay', trigger_delay: 5 }, 'they pause for 5 seconds'],
  [{ secondary_trigger: 'time_on_page', trigger_delay: 5 }, '5 seconds have passed'],
  [
    { step_trigger: 'element_match', secondary_trigger: 'click', trigger_delay: 1 },
    'its element is on the page, then until they click its element, then until 1 second has passed',
  ],
])('a step with %j waits until %s', (step, expected) => {
  expect(describeStart(tour(step))).toBe(expected && `It waits until ${expected}`);
});

it('says nothing about what opens a hint, or about what has no steps', () => {
  expect(describeStart(tour({ secondary_trigger: 'hover' }, 'tooltip'))).toBeNull();
  expect(describeStart({ kind: 'launcher', steps: [] as unknown } as Document)).toBeNull();
});
