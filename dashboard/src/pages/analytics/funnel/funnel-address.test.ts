import { expect, it } from 'vitest';
import { isFinished, newStep, readSteps, toParams } from './funnel-address.ts';

it('reads the steps that were written', () => {
  const steps = [
    { kind: 'event', name: 'signed_up', filters: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] },
    { kind: 'experience', experience_id: '5fb70dcbc39330000325a818', state: 'completed' },
  ];
  expect(readSteps(JSON.stringify(steps))).toEqual(steps);
  expect(readSteps(JSON.stringify(steps)).map(toParams)).toEqual(steps);
});

it('leaves out what is no step, and reads eight at most', () => {
  for (const text of ['', '{', '{}', 'null', '[1, null, "x", {"kind": "segment"}]'])
    expect(readSteps(text)).toEqual([]);
  expect(readSteps('[{"kind":"event"},{"kind":"experience","state":"gone"}]')).toEqual([
    newStep,
    { kind: 'experience', experience_id: null, state: 'started' },
  ]);
  expect(readSteps(JSON.stringify(Array(9).fill(newStep)))).toHaveLength(8);
});

it('is finished with an event or an Experience', () => {
  expect(isFinished(newStep)).toBe(false);
  expect(isFinished({ kind: 'event', name: 'paid', filters: [] })).toBe(true);
  expect(isFinished({ kind: 'experience', experience_id: null, state: 'started' })).toBe(false);
});
