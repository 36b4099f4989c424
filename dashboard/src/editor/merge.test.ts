import fc from 'fast-check';
import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { addPart, type Command, movePart, removePart, setFields, setPart } from './commands.ts';
import { numberParts } from './diff.ts';
import type { Document } from './document.ts';
import { isTextClash, mergeDocuments, refreshClashes, setValues, withTheirs } from './merge.ts';
import { mergeOrder } from './merge-order.ts';
import { buttonWith, idsOf, titlesOf, tourWith } from './test-document.ts';

const run = (document: Document, ...commands: Command[]) =>
  numberParts(
    produce(document, (draft) => {
      for (const command of commands) command.apply(draft);
    }),
  );

describe('the order of a list', () => {
  it.each([
    ['abc', 'abc', 'abc', 'abc'],
    ['abc', 'cab', 'abc', 'cab'],
    ['abc', 'abc', 'cab', 'cab'],
    ['abc', 'abxc', 'aybc', 'aybxc'],
    ['abc', 'ac', 'abxc', 'axc'],
    ['abcd', 'dabc', 'abdc', 'dabc'],
    ['abcd', 'bacd', 'abdc', 'badc'],
    ['', 'x', 'y', 'xy'],
    ['abc', 'xabc', 'bca', 'xbca'],
  ])('%s becomes %s and %s: %s', (base, mine, theirs, expected) => {
    expect(mergeOrder([...base], [...mine], [...theirs]).join('')).toBe(expected);
  });

  it('has what each side added, and not what one side removed, each once', () => {
    const letters = fc.uniqueArray(fc.constantFrom(...'abcdefghij'));
    fc.assert(
      fc.property(letters, letters, letters, (base, mine, theirs) => {
        const merged = mergeOrder(base, mine, theirs);
        const isKept = (id: string) =>
          base.includes(id) ? mine.includes(id) && theirs.includes(id) : mine.includes(id) || theirs.includes(id);
        expect([...merged].sort()).toEqual([...'abcdefghij'].filter(isKept));
      }),
    );
  });
});

describe('merging', () => {
  const base = tourWith({ title: 'A', body: 'a', buttons: [buttonWith('1', 'Go')] }, 'B', 'C');

  it('takes different fields from both sides', () => {
    const mine = run(base, setPart('a', { title: 'Mine' }), setPart('1', { text: 'Next' }));
    const theirs = run(base, setPart('a', { body: 'Theirs' }), setFields({ goal: 'paid' }));
    const { document, clashes } = mergeDocuments(base, mine, theirs);
    expect(clashes).toEqual([]);
    expect(document).toMatchObject({ goal: 'paid' });
    expect(document.steps[0]).toMatchObject({ title: 'Mine', body: 'Theirs', buttons: [{ text: 'Next' }] });
  });

  it('asks about a text that both have changed, and keeps mine until then', () => {
    const mine = run(base, setPart('b', { title: 'Mine' }));
    const theirs = run(base, setPart('b', { title: 'Theirs' }), movePart('steps', 'b', 0));
    const { document, clashes } = mergeDocuments(base, mine, theirs);
    expect(clashes).toEqual([{ of: 'b', field: 'title', mine: 'Mine', theirs: 'Theirs' }]);
    expect(titlesOf(document)).toEqual(['Mine', 'A', 'C']);
    expect(titlesOf(withTheirs(document, clashes))).toEqual(['Theirs', 'A', 'C']);
  });

  it('asks about a choice that both have changed, and not about the same text', () => {
    const mine = run(base, setPart('b', { title: 'Same', backdrop: true, screen_position: 'top' }));
    const theirs = run(base, setPart('b', { title: 'Same', screen_position: 'bottom' }));
    const { document, clashes } = mergeDocuments(base, mine, theirs);
    expect(clashes).toEqual([{ of: 'b', field: 'screen_position', mine: 'top', theirs: 'bottom' }]);
    expect(document.steps[1]).toMatchObject({ title: 'Same', backdrop: true, screen_position: 'top' });
    expect(withTheirs(document, clashes).steps[1]).toMatchObject({ backdrop: true, screen_position: 'bottom' });
  });

  it.each([
    ['a number', { trigger_delay: 1 }, { trigger_delay: 2 }, 1],
    ['a number that one side has emptied', { snooze_hours: null }, { snooze_hours: 2 }, 1],
    ['a number that both have set alike', { trigger_delay: 1 }, { trigger_delay: 1 }, 0],
    ['different fields', { trigger_delay: 1 }, { snooze_hours: 2 }, 0],
    ['a switch', { backdrop: false }, { backdrop: false }, 0],
  ])('counts the clashes of %s', (_, my, their, count) => {
    const before = run(base, setPart('b', { snooze_hours: 9, backdrop: true }));
    const { clashes } = mergeDocuments(before, run(before, setPart('b', my)), run(before, setPart('b', their)));
    expect(clashes).toHaveLength(count);
  });

  it('asks about a part of a value that both have changed, and joins different parts', () => {
    const element = (selector: string, text: string) => ({ action_element: { selector, text, shadow_selector: null } });
    const before = run(base, setPart('1', element('#a', 'A')));
    const mine = run(before, setPart('1', element('#mine', 'A')));
    const clashing = mergeDocuments(before, mine, run(before, setPart('1', element('#theirs', 'A'))));
    expect(clashing.clashes).toMatchObject([{ of: '1', field: 'action_element' }]);
    const joined = mergeDocuments(before, mine, run(before, setPart('1', element('#a', 'Theirs'))));
    expect(joined.clashes).toEqual([]);
    expect(joined.document.steps[0]?.buttons[0]).toMatchObject(element('#mine', 'Theirs'));
  });

  it('asks about a part that both have moved to different places', () => {
    const four = tourWith('A', 'B', 'C', 'D');
    const mine = run(four, movePart('steps', 'a', 3));
    const theirs = run(four, movePart('steps', 'a', 1));
    const farther = run(four, movePart('steps', 'a', 2));
    expect(mergeDocuments(four, mine, mine).clashes).toEqual([]);
    expect(mergeDocuments(four, mine, run(four, movePart('steps', 'd', 0))).clashes).toEqual([]);
    const { document, clashes } = mergeDocuments(four, mine, farther);
    expect(clashes).toEqual([{ of: 'a', field: 'position', mine: 3, theirs: 2 }]);
    expect(idsOf(document)).toBe('bcda');
    expect(idsOf(withTheirs(document, clashes))).toBe(idsOf(farther));
    expect(idsOf(mergeDocuments(four, theirs, theirs).document)).toBe('bacd');
  });

  it('does not ask who published, nor since when a switch is on', () => {
    const mine = run(base, setFields({ published_at: 't1', rate_unlimit_at: 't1' }));
    const theirs = run(base, setFields({ published_at: 't2', rate_unlimit_at: 't2' }));
    expect(mergeDocuments(base, mine, theirs).clashes).toEqual([]);
  });

  it('keeps what is typed while a clash waits, and forgets a clash of a removed part', () => {
    const clashes = [{ of: 'b', field: 'title', mine: 'Mine', theirs: 'Theirs' }];
    const later = run(base, setPart('b', { title: 'Mine and more' }));
    expect(refreshClashes(later, clashes)).toMatchObject([{ mine: 'Mine and more', theirs: 'Theirs' }]);
    expect(refreshClashes(run(base, removePart('steps', 'b')), clashes)).toEqual([]);
  });

  it('keeps a text that one side has emptied and the other changed', () => {
    const mine = run(base, setPart('a', { body: null }));
    const theirs = run(base, setPart('a', { body: 'More' }));
    expect(mergeDocuments(base, mine, theirs).document.steps[0]?.body).toBe('More');
    expect(mergeDocuments(base, theirs, mine).document.steps[0]?.body).toBe('More');
  });

  it('keeps a step that one side removed and the other changed', () => {
    const removed = run(base, removePart('steps', 'b'));
    const changed = run(base, setPart('b', { title: 'More' }));
    expect(titlesOf(mergeDocuments(base, removed, changed).document)).toEqual(['A', 'More', 'C']);
    expect(titlesOf(mergeDocuments(base, changed, removed).document)).toEqual(['A', 'More', 'C']);
  });

  it('removes a step that only one side has touched', () => {
    const removed = run(base, removePart('steps', 'b'));
    expect(idsOf(mergeDocuments(base, removed, base).document)).toBe('ac');
    expect(idsOf(mergeDocuments(base, base, removed).document)).toBe('ac');
  });

  it('joins lists without IDs', () => {
    const before = run(base, setPart('a', { dropdown_items: ['x', 'y'] }), setFields({ segment_ids: ['1', '2'] }));
    const mine = run(before, setPart('a', { dropdown_items: ['x', 'mine', 'y'] }), setFields({ segment_ids: ['2'] }));
    const theirs = run(
      before,
      setPart('a', { dropdown_items: ['x', 'y', 'theirs'] }),
      setFields({ segment_ids: ['1', '2', '3'] }),
    );
    const { document } = mergeDocuments(before, mine, theirs);
    expect(document.steps[0]?.dropdown_items).toEqual(['x', 'mine', 'y', 'theirs']);
    expect(document.segment_ids).toEqual(['2', '3']);
  });
});

/*
 * People type words into a document that all of them have open, and save now and then. The server accepts a save only
 * if it is based on the current state. Every word is unique, so nothing is lost if each word is in the final document,
 * unless somebody has removed the part with the word and had seen the word there.
 */
describe('random concurrent edits', () => {
  type Action =
    | { do: 'type'; step: number; field: 'title' | 'body' | 'button' }
    | { do: 'choose'; step: number; to: number }
    | { do: 'add'; step: number; to: number }
    | { do: 'remove'; step: number; to: number }
    | { do: 'move'; step: number; to: number }
    | { do: 'save' };
  const action: fc.Arbitrary<Action> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('type' as const),
        step: fc.nat(5),
        field: fc.constantFrom('title' as const, 'body' as const, 'button' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('choose' as const, 'add' as const, 'remove' as const, 'move' as const),
        step: fc.nat(5),
        to: fc.nat(5),
      }),
    },
    { weight: 3, arbitrary: fc.constant({ do: 'save' as const }) },
  );
  const wordsOf = (value: unknown): string[] => JSON.stringify(value).match(/word\d+/g) ?? [];

  it('lose no text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 3 }),
        fc.array(fc.tuple(fc.nat(2), action), { maxLength: 60 }),
        (people, actions) => {
          const first = tourWith(
            { title: 'A', buttons: [buttonWith('1', 'Go')] },
            { title: 'B', buttons: [buttonWith('2', 'Go')] },
          );
          const server = { document: first, version: 0 };
          const editors = Array.from({ length: people }, () => ({ base: first, version: 0, document: first }));
          const written = new Set<string>();
          const removed = new Set<string>();
          const largest = new Map<string, number>();
          let count = 0;
          const save = (editor: (typeof editors)[number]) => {
            if (editor.version !== server.version) {
              const { document, clashes } = mergeDocuments(editor.base, editor.document, server.document);
              // The person who decides keeps both texts. Of two other values, they choose the larger one.
              const chosen = clashes.map((clash) => {
                const { of, field, mine, theirs } = clash;
                const larger = Math.max(Number(mine), Number(theirs));
                return { of, field, value: isTextClash(clash) ? `${theirs} ${mine}` : larger };
              });
              editor.document = setValues(document, chosen);
            }
            server.document = editor.document;
            server.version += 1;
            Object.assign(editor, { base: server.document, version: server.version });
          };
          for (const [who, what] of actions) {
            const editor = editors[who % people] as (typeof editors)[number];
            const { document } = editor;
            const step = 'step' in what ? document.steps[what.step % Math.max(document.steps.length, 1)] : undefined;
            if (what.do === 'save') save(editor);
            else if (what.do === 'add') {
              editor.document = run(document, addPart('steps', { title: `word${++count}` }, { after: step?.id }));
              written.add(`word${count}`);
            } else if (!step) continue;
            else if (what.do === 'choose') {
              // This value is larger than all before. If no person decides, or the wrong value is chosen, the largest
              // value is lost.
              largest.set(step.id, ++count);
              editor.document = run(document, setPart(step.id, { trigger_delay: count }));
            } else if (what.do === 'move') editor.document = run(document, movePart('steps', step.id, what.to));
            else if (what.do === 'remove') {
              for (const word of wordsOf(step)) removed.add(word);
              editor.document = run(document, removePart('steps', step.id));
            } else {
              const word = `word${++count}`;
              written.add(word);
              const [button] = step.buttons;
              if (what.field !== 'button')
                editor.document = run(
                  document,
                  setPart(step.id, { [what.field]: `${step[what.field] ?? ''} ${word}` }),
                );
              else if (button) editor.document = run(document, setPart(button.id, { text: `${button.text} ${word}` }));
              else editor.document = run(document, addPart(step.id, { text: word }));
            }
          }
          for (const editor of editors) save(editor);
          const found = new Set(wordsOf(server.document));
          expect([...written].filter((word) => !found.has(word) && !removed.has(word))).toEqual([]);
          for (const { id, trigger_delay } of server.document.steps)
            expect([id, trigger_delay]).toEqual([id, largest.get(id) ?? null]);
          expect(new Set(server.document.steps.map(({ id }) => id)).size).toBe(server.document.steps.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a theme', () => {
  const theme = (variations: object[], fields: object = {}) =>
    ({ kind: 'theme', steps: [], name: 'Brand', ...fields, variations }) as unknown as Document;
  const [gold, blue] = [{ name: 'Gold' }, { name: 'Blue' }];

  it('keeps both changes of different fields', () => {
    const base = theme([gold], { style_radius: '4', style_width: null });
    const mine = theme([gold], { style_radius: '8', style_width: null });
    const theirs = theme([gold], { style_radius: '4', style_width: '300' });
    const { document, clashes } = mergeDocuments(base, mine, theirs);
    expect([document, clashes]).toEqual([theme([gold], { style_radius: '8', style_width: '300' }), []]);
  });

  it('lets the person choose between two lists of variations', () => {
    const mine = theme([{ name: 'Silver' }]);
    const theirs = theme([gold, blue]);
    const { document, clashes } = mergeDocuments(theme([gold]), mine, theirs);
    expect(document).toEqual(mine);
    expect(clashes).toEqual([{ of: '', field: 'variations', mine: [{ name: 'Silver' }], theirs: [gold, blue] }]);
  });
});
