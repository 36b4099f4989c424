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
  screenPositions,
  secondaryTriggers,
  stepFields,
  stepTriggers,
  tourActions,
} from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { capturesOf } from '../../../changes/captures-of.ts';
import { countUnpublished } from '../../../changes/count-unpublished.ts';
import {
  type Change,
  type ChangeSummary,
  changesInSummary,
  netChanges,
  reverseChange,
} from '../../../changes/net-changes.ts';
import { sentencesOf } from '../../../changes/sentences.ts';
import { diffWords } from '../../../changes/word-diff.ts';
import * as text from '../../../messages/text.ts';
import { groupSittings } from './group-sittings.ts';
import { headlineOf } from './headline-of.ts';

const ann = { id: 'a'.repeat(24), name: 'Ann', email: 'ann@acme.test' };
const kim = { id: 'b'.repeat(24), name: 'Kim', email: 'kim@acme.test' };
const START = Date.parse('2029-04-07T12:00:00.000Z');
let count = 0;

interface Given extends Partial<Omit<Change, 'created_at'>> {
  minute?: number;
}

function change({ minute = 0, ...given }: Given): Change {
  const created_at = new Date(START + minute * 60_000).toISOString();
  return {
    ...{ id: String(++count).padStart(24, '0'), created_at, updated_at: created_at, experience_id: 'e'.repeat(24) },
    ...{ model_id: 'e'.repeat(24), model_type: 'Campaign', kind: 'update', path: 'model', object: {}, options: {} },
    user: ann,
    ...given,
  };
}

const names = new Map([['5'.repeat(24), 'Admins']]);
const nameOf = (id: string) => names.get(id);
/** What Changes that were made in this order come to. */
const say = (changes: Change[], kind = 'tour') => sentencesOf(netChanges(changes.toReversed()), kind, nameOf);
const saidOf = (changes: Change[], kind = 'tour') => say(changes, kind).map(({ text }) => text);
const step = (index: number, object: object, more: Given = {}) =>
  change({ path: `steps.${index}`, model_id: `step ${index}`, model_type: 'Step', object: { ...object }, ...more });

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
    // Another step was added before them.
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
      ...[...additionalActions, ...itemKinds, ...matchTypes, ...positionTypes, ...presets, ...screenPositions],
      ...[...secondaryTriggers, ...stepTriggers, ...tourActions, 'and', 'or', 'auto', 'manual', 'banner', 'card'],
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
