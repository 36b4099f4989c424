import { describe, expect, it } from 'vitest';
import { needsOf } from './trigger.ts';

const elements = [{ selector: 'a' }];
const nothing = { target: false, element: false, noElement: false, delay: 0, never: false };

describe('a step', () => {
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
    [{ trigger_delay: 2 }, { delay: 2000 }],
    [{ secondary_trigger: 'time_on_page', trigger_delay: 0.5 }, { delay: 500 }],
    [{ secondary_trigger: 'click', elements }, { event: 'click' }],
    [
      { secondary_trigger: 'hover', trigger_delay: 1 },
      { event: 'hover', delay: 1000 },
    ],
    [
      { secondary_trigger: 'input', position_type: 'snap_to_trigger' },
      { event: 'input', target: true },
    ],
    [{ secondary_trigger: 'smart_delay' }, { idle: 3000 }],
    [{ secondary_trigger: 'smart_delay', trigger_delay: 10 }, { idle: 10_000 }],
    [{ secondary_trigger: 'custom_trigger', custom_trigger: 'return 1' }, { code: 'return 1' }],
    [{ secondary_trigger: 'custom_trigger' }, { never: true }],
    [{ custom_trigger: 'return 1' }, {}],
  ] as const)('%j needs %j', (step, needs) => {
    expect(needsOf({ id: '1', ...step } as never)).toEqual({ ...nothing, ...needs });
  });
});
