import { describe, expect, it } from 'vitest';
import { conditionsOf } from './trigger.ts';

const elements = [{ selector: 'a' }];
const none = { target: false, element: false, noElement: false, delayMs: 0 };

describe('conditionsOf', () => {
  it.each([
    [{}, {}],
    [{ elements }, {}],
    [
      { elements, position_type: 'snap_to_element' },
      { element: true, target: true },
    ],
    [{ position_type: 'snap_to_element' }, {}],
    [{ elements, step_trigger: 'element_match' }, { element: true }],
    [{ step_trigger: 'element_match' }, {}],
    [{ elements, step_trigger: 'element_not_match', position_type: 'snap_to_element' }, { noElement: true }],
    [{ trigger_delay: 2 }, { delayMs: 2000 }],
    [{ secondary_trigger: 'time_on_page', trigger_delay: 0.5 }, { delayMs: 500 }],
    [{ secondary_trigger: 'click', elements }, { event: 'click' }],
    [
      { secondary_trigger: 'hover', trigger_delay: 1 },
      { event: 'hover', delayMs: 1000 },
    ],
    [
      { secondary_trigger: 'input', position_type: 'snap_to_trigger' },
      { event: 'input', target: true },
    ],
    [{ secondary_trigger: 'smart_delay' }, { idleMs: 3000 }],
    [{ secondary_trigger: 'smart_delay', trigger_delay: 10 }, { idleMs: 10_000 }],
    [{ secondary_trigger: 'custom_trigger', custom_trigger: 'return 1' }, { code: 'return 1' }],
    [{ secondary_trigger: 'exit_intent' }, { isExit: true }],
    [{ secondary_trigger: 'scroll_percent', trigger_scroll_percent: 40 }, { scrollPercent: 40 }],
    [
      { secondary_trigger: 'scroll_percent', elements },
      { scrollPercent: 100, element: true },
    ],
    [{ secondary_trigger: 'custom_trigger' }, { code: '' }],
    [{ custom_trigger: 'return 1' }, {}],
  ] as const)('a step with %j has the conditions %j', (step, expected) => {
    expect(conditionsOf({ id: '1', ...step } as never)).toEqual({ ...none, ...expected });
  });
});
