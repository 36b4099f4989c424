import { describe, expect, it } from 'vitest';
import { type Change, describeChanges } from './describe-changes.ts';

let count = 0;
const change = (params: object, minutes = 0): Change =>
  ({
    id: String(++count),
    created_at: new Date(Date.UTC(2029, 0, 1, 12, 60 - minutes)).toISOString(),
    experience_id: 'tour',
    path: 'model',
    kind: 'update',
    object: {},
    user: { id: 'ann', name: 'Ann', email: '' },
    ...params,
  }) as Change;
const verbsOf = (...changes: Change[]) => describeChanges(changes).map(({ verb }) => verb);

describe('describeChanges', () => {
  it.each([
    ['created', { kind: 'create', object: { name: 'Hi', published_at: null } }],
    ['createdLive', { kind: 'create', object: { name: 'Hi', published_at: '2029-01-01' } }],
    ['deleted', { kind: 'destroy', object: { name: 'Hi' } }],
    ['published', { object: { published_at: [null, '2029-01-01'] } }],
    ['unpublished', { object: { published_at: ['2029-01-01', null] } }],
    ['archived', { object: { archived_at: [null, '2029-01-01'] } }],
    ['restored', { object: { archived_at: ['2029-01-01', null] } }],
    ['renamed', { object: { name: ['Hi', 'Hello'] } }],
    ['retargeted', { object: { segment_ids: [[], ['a']] } }],
    ['reverted', { kind: 'revert', object: { name: ['Hi', 'Hello'] } }],
    ['related', { kind: 'related', object: { items: [[], []] } }],
    ['translated', { path: 'translations.de', object: { 'a.title': [null, 'Hallo'] } }],
    ['edited', { path: 'model.steps[0]', object: { title: ['Hi', 'Hello'] } }],
  ])('calls it %s', (verb, params) => {
    expect(verbsOf(change(params))).toEqual([verb]);
  });

  it('says the most important of what was done together', () => {
    const edited = change({ path: 'model.steps[0]', object: { title: ['a', 'b'] } });
    const created = change({ kind: 'create', object: { name: 'Hi' } });
    const published = change({ object: { published_at: [null, '2029-01-01'] } });
    expect(verbsOf(edited, created)).toEqual(['created']);
    expect(verbsOf(published, edited, created)).toEqual(['createdLive']);
  });

  it('keeps apart what others did, what was done to another Experience, and what was done later', () => {
    const edit = { object: { title: ['a', 'b'] } };
    expect(describeChanges([change(edit), change({ ...edit, user: { id: 'bob' } })])).toHaveLength(2);
    expect(describeChanges([change(edit), change({ ...edit, experience_id: 'survey' })])).toHaveLength(2);
    expect(describeChanges([change(edit), change(edit, 9), change(edit, 18)])).toHaveLength(1);
    expect(describeChanges([change(edit), change(edit, 11)])).toHaveLength(2);
  });

  it('says what came with the demo or the sample data, until somebody changes something', () => {
    const demo = change({ experience_id: 'demo', kind: 'create', object: { name: 'Demo: seats' } });
    const edited = change({ path: 'model.steps[0]', object: { title: ['a', 'b'] } }, 20);
    const created = change({ kind: 'create', object: { name: 'Hi' } }, 40);
    const sample = { loaded_at: edited.created_at, experience_ids: ['tour'] };
    const found = describeChanges([demo, edited, created], sample);
    expect(found.map(({ experienceId, source }) => [experienceId, source])).toEqual([
      ['demo', 'demo'],
      ['tour', 'sample'],
    ]);
    const own = change({ object: { name: ['Hi', 'Hello'] } });
    expect(describeChanges([own, demo, edited, created], sample)).toEqual([
      expect.objectContaining({ id: own.id, verb: 'renamed', source: undefined }),
    ]);
    expect(describeChanges([change({ object: { name: ['Demo: a', 'Demo: b'] } })])[0]?.source).toBe(undefined);
  });

  it('says who changed something of the demo, also soon after it came', () => {
    const demo = change({ kind: 'create', object: { name: 'Demo: seats' } }, 5);
    const published = change({ object: { published_at: [null, '2029-01-01'] } }, 5);
    expect(describeChanges([published, demo])).toEqual([expect.objectContaining({ source: 'demo' })]);
    const edited = change({ path: 'steps.0', object: { title: ['a', 'b'] } }, 4);
    expect(describeChanges([edited, published, demo])).toEqual([
      expect.objectContaining({ id: edited.id, verb: 'edited', source: undefined }),
    ]);
  });

  it('knows the name from a Change that has it', () => {
    const renamed = change({ object: { name: ['Hi', 'Hello'] } });
    expect(describeChanges([change({ object: { goal: [null, 'x'] } }), renamed])[0]?.name).toBe('Hello');
    expect(describeChanges([change({ path: 'model.steps[0]', object: { name: ['x', 'y'] } })])[0]?.name).toBe(
      undefined,
    );
  });
});
