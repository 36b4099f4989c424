import {
  additionalActions,
  buttonFields,
  experienceKinds,
  fieldsOfKind,
  itemFields,
  itemKinds,
  matchTypes,
  positionTypes,
  presets,
  secondaryTriggers,
  snoozeChoices,
  stepFields,
  stepPositions,
  stepTriggers,
  tourActions,
} from '@usher/domain';
import { changesInSummary, netChanges, reverseChange } from '@usher/domain/sentences';
import { describe, expect, it } from 'vitest';
import * as text from '../messages/text.ts';
import { capturesOf } from './captures-of.ts';
import type { ChangeSummary } from './change.ts';
import { countUnpublished } from './count-unpublished.ts';
import { sentencesOf } from './sentences.ts';
import { change, type Given, nameOf, saidOf, say, step } from './test-changes.ts';
import { diffWords } from './word-diff.ts';

describe('sentences', () => {
  it.each([
    [{ name: ['Hi', 'Hello'] }, 'changed the name'],
    [{ goal: [null, 'signed up'] }, 'set the goal'],
    [{ goal: ['signed up', null] }, 'removed the goal'],
    [{ published_at: [null, '2029-04-07T12:00:00.000Z'] }, 'published it'],
    [{ published_at: ['2029-04-07T12:00:00.000Z', null] }, 'paused it'],
    [{ archived_at: [null, '2029-04-07T12:00:00.000Z'] }, 'archived it'],
    [{ archived_at: ['2029-04-07T12:00:00.000Z', null] }, 'restored it from the archive'],
  ])('say of the Experience that %j is “%s”', (object, said) => {
    expect(saidOf([change({ object })])).toEqual([said]);
  });

  it('say when it is scheduled for', () => {
    const object = { published_at: [null, '2029-05-01T08:30:00.000Z'] };
    expect(saidOf([change({ object })])[0]).toMatch(/^scheduled it for .*2029/);
  });

  it('name the part: step, button and item', () => {
    expect(saidOf([step(1, { title: ['A', 'B'] })])).toEqual(['changed the title of step 2']);
    const button = { path: 'steps.1.buttons.0', model_id: 'b' };
    expect(saidOf([change({ ...button, object: { text: ['A', 'B'] } })])).toEqual([
      'changed the text of button 1 of step 2',
    ]);
    expect(saidOf([change({ path: 'items.2', model_id: 'i', object: { hide: [false, true] } })])).toEqual([
      'hid item 3',
    ]);
  });

  it('have the values before and after in words', () => {
    expect(say([step(0, { position_type: ['relative_to_screen', 'snap_to_element'] })])).toMatchObject([
      { text: 'changed the position of step 1', before: 'on the screen', after: 'at an element', isText: false },
    ]);
    expect(say([change({ object: { segment_ids: [[], ['5'.repeat(24), '6'.repeat(24)]] } })])).toMatchObject([
      { text: 'set the Segments', after: 'Admins, a deleted one' },
    ]);
    expect(say([step(0, { title: ['Hi', 'Hello'] })])).toMatchObject([{ before: 'Hi', after: 'Hello', isText: true }]);
    expect(say([step(0, { snooze_hours: [null, 24] })])).toMatchObject([{ after: '24 h' }]);
    const elements = [[], [{ selector: '#save', text: 'Save', shadow_selector: null }]];
    expect(say([step(0, { elements })])).toMatchObject([{ text: 'set the element of step 1', after: '#save Save' }]);
  });

  it('say that a step was added, with its title and without its buttons', () => {
    const created = [
      step(2, { title: 'New', position: 2 }, { kind: 'create' }),
      change({ kind: 'create', path: 'steps.2.buttons.0', model_id: 'b', object: { text: 'Next', position: 0 } }),
    ];
    expect(saidOf(created)).toEqual(['added step 3 “New”']);
    const asPairs = step(2, { title: [null, 'New'], position: [null, 2] }, { kind: 'partial' });
    expect(saidOf([asPairs])).toEqual(['added step 3 “New”']);
    expect(saidOf([step(2, { title: ['New', null], position: [2, null] }, { kind: 'revert' })])).toEqual([
      'deleted step 3 “New”',
    ]);
  });

  it('say once that an Experience was created, and that it was published with it', () => {
    const object = { name: 'Welcome', published_at: '2029-04-07T12:00:00.000Z' };
    const created = [change({ kind: 'create', object }), step(0, { title: 'Hi', position: 0 }, { kind: 'create' })];
    expect(saidOf(created)).toEqual(['created the tour “Welcome”', 'published it']);
    expect(saidOf([change({ kind: 'destroy', object })], 'launcher')).toEqual(['deleted the launcher']);
  });

  const moved = (...positions: [number, number][]) =>
    saidOf(positions.map(([from, to]) => step(to, { position: [from, to] }, { model_id: `moved ${from}` })));

  it('say which step was moved, not which others got another number', () => {
    expect(moved([2, 0], [0, 1], [1, 2])).toEqual(['moved step 3 before step 1']);
    expect(moved([0, 2], [1, 0], [2, 1])).toEqual(['moved step 1 after step 3']);
    expect(moved([0, 1], [1, 0])).toEqual(['moved step 2 before step 1']);
    // Another step was added before these two.
    expect(moved([0, 1], [1, 2])).toEqual([]);
  });

  it('say what changed in another language', () => {
    const key = `${'c'.repeat(24)}.title`;
    const german = (object: object) => change({ kind: 'apply', path: 'translations.de', object: { ...object } });
    expect(saidOf([german({ [key]: ['Hallo', 'Guten Tag'] })])).toEqual(['changed a text in German']);
    const both = sentencesOf(
      netChanges([german({ [key]: ['a', 'b'], [`${key}2`]: [null, 'c'] })]),
      'tour',
      () => undefined,
    );
    expect(both.map(({ text, before, after }) => [text, before, after])).toEqual([
      ['changed a text in German', 'a', 'b'],
      ['changed a text in German', undefined, 'c'],
    ]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${key}${at}`, ['a', 'b']]));
    expect(saidOf([german(many)])).toEqual(['changed 30 texts in German']);
    expect(saidOf([step(1, { title: ['a', 'b'] }, { path: 'translations.de.steps.1' })])).toEqual([
      'changed the title of step 2 in German',
    ]);
  });

  it('say which Segment or Environment was changed', () => {
    const path = `segments.${'5'.repeat(24)}`;
    expect(saidOf([change({ kind: 'related', path, object: { items: [[], [1]] } })])).toEqual([
      'changed the Segment “Admins”, which this uses',
    ]);
    expect(
      saidOf([change({ kind: 'related', path: `url_groups.${'6'.repeat(24)}`, object: { name: ['a', 'b'] } })]),
    ).toEqual(['changed the Environment, which this uses']);
  });

  it('leave out what was taken back', () => {
    expect(saidOf([step(0, { title: ['A', 'AB'] }), step(0, { title: ['AB', 'A'] })])).toEqual([]);
    expect(say([step(0, { title: ['A', 'AB'] }), step(0, { title: ['AB', 'ABC'] })])).toMatchObject([
      { before: 'A', after: 'ABC' },
    ]);
    const added = step(1, { title: 'New', position: 1 }, { kind: 'create' });
    expect(saidOf([added, step(1, { title: 'New', position: 1 }, { kind: 'destroy' })])).toEqual([]);
    expect(saidOf([added, step(1, { title: ['New', 'Newer'] })])).toEqual(['added step 2 “Newer”']);
  });

  it('say that a button moved to another step', () => {
    const button = { model_id: 'b', object: { text: 'Next', position: 0 } };
    const changes = [
      change({ ...button, kind: 'create', path: 'steps.1.buttons.0' }),
      change({ ...button, kind: 'destroy', path: 'steps.0.buttons.0' }),
    ];
    expect(saidOf(changes)).toEqual(['moved a button to step 2']);
  });
});

describe('every field', () => {
  const times = ['2029-04-07T12:00:00.000Z', '2029-04-08T12:00:00.000Z'];
  const parts = [
    ...experienceKinds.map((kind) => ['experience', 'model', Object.keys(fieldsOfKind(kind)), kind] as const),
    ['step', 'steps.0', ['position', ...Object.keys(stepFields)], 'tour'] as const,
    ['button', 'steps.0.buttons.0', ['position', ...Object.keys(buttonFields)], 'tour'] as const,
    ['item', 'items.0', ['position', ...Object.keys(itemFields)], 'launcher'] as const,
  ];

  it.each(parts)('of the %s at %s has a name and a sentence', (type, path, fields, kind) => {
    for (const field of fields) {
      if (field === 'position' && type !== 'experience') continue;
      const [one, other] = /_(at|until)$/.test(field) ? times : ['a', 'b'];
      for (const pair of [
        [one, other],
        [null, other],
        [one, null],
      ]) {
        const [sentence] = say([change({ path, model_id: 'x', object: { [field]: pair } })], kind);
        expect([field, sentence?.text]).toEqual([field, expect.stringMatching(/^[a-z]+ /)]);
        expect(sentence?.text).not.toMatch(/_|undefined/);
      }
    }
  });

  it('has a word for each of its fixed values', () => {
    const fixed = [
      ...[...additionalActions, ...itemKinds, ...matchTypes, ...positionTypes, ...presets, ...stepPositions],
      ...[...secondaryTriggers, ...stepTriggers, ...tourActions, 'and', 'or', 'auto', 'manual', 'banner', 'card'],
      ...snoozeChoices,
      ...['default', 'checklist', 'icon', 'tab', 'element', 'top', 'right', 'bottom', 'left'],
    ];
    expect(fixed.filter((value) => text.history.values[value] === undefined)).toEqual([]);
  });
});

describe('a summary', () => {
  const part = { capture_id: [null, null] as [null, null] };
  const summary: ChangeSummary = {
    ...{ model_id: 'e', path: 'model', kind: 'update', change_id: [null, null], ...part },
    object: {
      name: 'name, goal',
      description: null,
      value: [
        { name: 'A', goal: null },
        { name: 'B', goal: 'done' },
      ],
    },
    changes: [
      {
        model_id: 's',
        path: 'steps.0',
        kind: 'update',
        ...part,
        object: { name: 'title', description: null, value: ['A', 'B'] },
      },
      {
        model_id: 't',
        path: 'steps.1',
        kind: 'create',
        ...part,
        object: { name: 'Step', description: null, value: { title: 'New' } },
      },
      {
        model_id: 'b',
        path: 'steps.1.buttons.0',
        kind: 'create',
        ...part,
        object: { name: 'Button', description: null, value: { text: 'Go' } },
      },
    ],
  };

  it('is said in the same sentences, in both directions', () => {
    const changes = changesInSummary(summary);
    expect(sentencesOf(changes, 'tour', nameOf).map(({ text }) => text)).toEqual([
      'changed the name',
      'set the goal',
      'changed the title of step 1',
      'added step 2 “New”',
    ]);
    expect(sentencesOf(changes.map(reverseChange), 'tour', nameOf).map(({ text }) => text)).toEqual([
      'changed the name',
      'removed the goal',
      'changed the title of step 1',
      'deleted step 2 “New”',
    ]);
  });
});

describe('pictures', () => {
  const look = (before: string | null, after: string | null, more: Given = {}) =>
    step(0, { title: ['a', 'b'] }, { options: { capture_id: [before, after] }, ...more });

  it('are the first and the last look of each step', () => {
    const changes = [look('1', '2'), look('2', null), look('2', '3'), look('9', '10', { path: 'steps.1.buttons.0' })];
    expect(capturesOf(changes.toReversed())).toMatchObject([
      { before: '1', after: '3', place: { type: 'step', index: 0 } },
      { before: '9', after: '10', place: { type: 'step', index: 1 } },
    ]);
  });

  it('show a step that was added or deleted, and nothing for what cannot be seen', () => {
    expect(capturesOf([look(null, '1', { kind: 'create' })])).toMatchObject([{ before: null, after: '1' }]);
    expect(capturesOf([look('1', null, { kind: 'destroy' })])).toMatchObject([{ before: '1', after: null }]);
    expect(capturesOf([look('1', null)])).toEqual([]);
  });
});

describe('the difference of two texts', () => {
  const marked = (before: string, after: string) =>
    diffWords(before, after)
      .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
      .join('');

  it.each([
    ['Hello world', 'Hello there world', 'Hello {+there +}world'],
    ['one two three', 'one 2 three', 'one [-two-]{+2+} three'],
    ['one two', 'three four', '[-one two-]{+three four+}'],
    ['', 'New', '{+New+}'],
    ['Old', '', '[-Old-]'],
    ['same', 'same', 'same'],
  ])('from %j to %j is %j', (before, after, expected) => {
    expect(marked(before, after)).toBe(expected);
  });

  it('has both texts in it, however long they are', () => {
    const before = 'word '.repeat(3000);
    const after = `x ${'other '.repeat(3000)}`;
    const parts = diffWords(before, after);
    const side = (kind: string) =>
      parts
        .filter((part) => part.kind !== kind)
        .map(({ text }) => text)
        .join('');
    expect(side('added')).toBe(before);
    expect(side('removed')).toBe(after);
  });
});

describe('the number of unpublished changes', () => {
  const none = {
    model_id: 'e'.repeat(24),
    path: 'model',
    kind: 'update',
    change_id: [null, null],
    capture_id: [null, null],
  };
  const count = (object: unknown, changes: unknown[] = []) =>
    countUnpublished({ ...none, object, changes } as never, 'tour');
  const texts = {
    name: 'title, body',
    value: [
      { title: 'a', body: 'b' },
      { title: 'c', body: 'd' },
    ],
  };

  it('is the number of sentences, not of changed parts', () => {
    const change = { ...none, model_id: '1'.repeat(24), path: 'steps.0', object: texts };
    expect(count(null, [change])).toBe(2);
    expect(count({ name: 'name', value: ['a', 'b'] }, [change])).toBe(3);
  });

  it('leaves out what takes effect without publishing', () => {
    expect(count({ name: 'position', value: [1, 2] })).toBe(0);
    expect(
      count({
        name: 'name, tag_ids',
        value: [
          { name: 'a', tag_ids: [] },
          { name: 'b', tag_ids: ['x'] },
        ],
      }),
    ).toBe(1);
    const two = [
      { name: 'a', goal: null, published_at: null },
      { name: 'b', goal: 'x', published_at: 'now' },
    ];
    expect(count({ name: 'name, goal, published_at', value: two })).toBe(2);
  });
});
