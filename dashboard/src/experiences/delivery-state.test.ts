import { expect, it } from 'vitest';
import { stateOf } from './delivery-state.ts';

const now = Date.UTC(2029, 3, 7, 12);
const [earlier, later] = [new Date(now - 1000).toISOString(), new Date(now + 1000).toISOString()];
const live = { id: 'a', kind: 'tour' as const, name: 'One', is_live: true };
const pending = { at: null, from: null, until: null, removed_at: null, experience: live };

it.each([
  ['pending', {}],
  ['pending', { from: earlier, until: later }],
  ['pending', { until: new Date(now).toISOString() }],
  ['scheduled', { from: later }],
  ['expired', { from: later, until: earlier }],
  ['expired', { until: earlier, experience: { ...live, is_live: false } }],
  ['not_live', { experience: { ...live, is_live: false } }],
  ['not_live', { experience: null }],
  ['shown', { at: earlier, until: earlier }],
  ['removed', { removed_at: earlier }],
] as const)('is %s for %j', (state, change) => expect(stateOf({ ...pending, ...change }, now)).toBe(state));
