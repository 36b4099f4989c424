import { describe, expect, it } from 'vitest';
import type { Change } from './change.ts';
import { groupSittings } from './group-sittings.ts';
import { headlineOf } from './headline-of.ts';
import { ann, change, kim, say, step } from './test-changes.ts';

describe('sittings', () => {
  const autosave = (minute: number, user = ann) =>
    change({ minute, user, kind: 'partial', object: { name: ['a', `${minute}`] } });
  const group = (...changes: Change[]) =>
    groupSittings(changes.toReversed()).map(({ user, changes }) => `${user.name} ${changes.length}`);

  it('are autosaves of one person with less than 30 minutes between', () => {
    expect(group(autosave(0), autosave(29), autosave(58))).toEqual(['Ann 3']);
    expect(group(autosave(0), autosave(30))).toEqual(['Ann 1', 'Ann 1']);
  });

  it('end when somebody else changes something, or with another kind of write', () => {
    expect(group(autosave(0), autosave(1, kim), autosave(2))).toEqual(['Ann 1', 'Kim 1', 'Ann 1']);
    const publish = change({ minute: 3, object: { published_at: [null, '2029-04-07T12:03:00.000Z'] } });
    expect(group(autosave(0), autosave(2), publish, autosave(4))).toEqual(['Ann 1', 'Ann 1', 'Ann 2']);
    expect(group(change({ minute: 0 }), change({ minute: 0, path: 'steps.0' }), change({ minute: 1 }))).toEqual([
      'Ann 1',
      'Ann 2',
    ]);
  });

  it('are single writes also if several are made within a second', () => {
    const created = [change({ kind: 'create' }), step(0, {}, { kind: 'create' }), step(1, {}, { kind: 'create' })];
    expect(group(...created, change({ object: { published_at: [null, 'now'] } }))).toEqual(['Ann 1', 'Ann 3']);
    expect(group(step(0, { title: ['a', 'b'] }), step(0, { title: ['b', 'c'] }))).toEqual(['Ann 1', 'Ann 1']);
  });

  it('are moves in the list of one person with less than 30 minutes between', () => {
    const move = (minute: number, from: number) =>
      change({ minute, kind: 'related', path: 'order', object: { position: [from, from - 1] } });
    expect(group(move(0, 5), move(1, 4), move(2, 3))).toEqual(['Ann 3']);
    expect(group(move(0, 5), move(31, 4))).toEqual(['Ann 1', 'Ann 1']);
    expect(group(move(0, 5), change({ minute: 1, kind: 'related', path: `segments.${'5'.repeat(24)}` }))).toEqual([
      'Ann 1',
      'Ann 1',
    ]);
    expect(say([move(2, 3), move(1, 4), move(0, 5)])).toHaveLength(1);
  });

  it('have a headline', () => {
    const [one, two] = say([change({ object: { name: ['a', 'b'], goal: [null, 'x'] } })]);
    if (!one || !two) throw new Error('Two sentences were expected');
    expect(headlineOf('autosave', [one])).toMatchObject({ headline: { text: 'changed the name' }, rest: [] });
    expect(headlineOf('autosave', [one, two])).toMatchObject({
      headline: { text: 'made 2 changes' },
      rest: [one, two],
    });
    expect(headlineOf('revert', [one]).headline.text).toBe('went back to an earlier state');
    expect(headlineOf('autosave', []).headline.text).toBe('changed something and took it back');
  });
});
