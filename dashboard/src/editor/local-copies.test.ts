import { describe, expect, it } from 'vitest';
import type { Document } from './document.ts';
import { type DraftStore, LOCAL_FORMAT, type LocalCopy, memoryDrafts } from './drafts.ts';
import { emptyHistory, recordChange } from './history.ts';
import { copyKey, joinCopies, takeCopies } from './local-copies.ts';
import type { Tab } from './tab.ts';
import { titlesOf, tourWith } from './test-document.ts';

const PREFIX = 'ann tour';
const start = { document: tourWith('A', 'B'), updated_at: 't1' };

function copyOf(document: Document, { base = start, at = 0 } = {}): LocalCopy {
  const history = recordChange(emptyHistory, base.document, document, at);
  return { format: LOCAL_FORMAT, base, document, history, clashes: [], stored_at: at };
}
/** A tab with an ID. `open` lists the IDs of the tabs that are open. */
const tabWith = (id: string, open: string[] = [], othersLoaded = async () => {}): Tab => ({
  id,
  othersLoaded,
  whileClosed: async (other, work) => {
    if (!open.includes(other)) await work();
  },
});
async function storeWith(copies: Record<string, LocalCopy>): Promise<DraftStore> {
  const drafts = memoryDrafts();
  for (const [key, copy] of Object.entries(copies)) await drafts.write(key, copy);
  return drafts;
}
const keyOf = (id: string) => copyKey(PREFIX, id);

describe('a tab', () => {
  it('goes on with its own copy, and leaves those of open tabs alone', async () => {
    const copies = { [keyOf('1')]: copyOf(tourWith('One', 'B')), [keyOf('2')]: copyOf(tourWith('A', 'Two')) };
    const drafts = await storeWith(copies);
    const copy = await takeCopies(drafts, tabWith('1', ['2']), PREFIX, start);
    expect(copy).toEqual(copies[keyOf('1')]);
    expect(await drafts.list(PREFIX)).toEqual([keyOf('1'), keyOf('2')]);
  });

  it('takes over what a closed tab has not saved, and stores it before the other copy is removed', async () => {
    const drafts = await storeWith({
      [keyOf('1')]: copyOf(tourWith('One', 'B')),
      [keyOf('2')]: copyOf(tourWith('A', 'Two')),
    });
    const copy = await takeCopies(drafts, tabWith('1'), PREFIX, start);
    expect(copy && titlesOf(copy.document)).toEqual(['One', 'Two']);
    expect(copy?.history.past).toHaveLength(1);
    expect(await drafts.list(PREFIX)).toEqual([keyOf('1')]);
    expect(await drafts.read(keyOf('1'))).toEqual(copy);
  });

  it('waits for tabs that are loaded together with it', async () => {
    const copies = { [keyOf('1')]: copyOf(tourWith('One', 'B')), [keyOf('2')]: copyOf(tourWith('A', 'Two')) };
    const drafts = await storeWith(copies);
    const open: string[] = [];
    const tab = tabWith('1', open, async () => void open.push('2'));
    expect(await takeCopies(drafts, tab, PREFIX, start)).toEqual(copies[keyOf('1')]);
    expect(await drafts.list(PREFIX)).toHaveLength(2);
  });

  it('keeps the other copy if its own cannot be stored', async () => {
    const drafts = await storeWith({ [keyOf('2')]: copyOf(tourWith('A', 'Two')) });
    await takeCopies({ ...drafts, write: async () => false }, tabWith('1'), PREFIX, start);
    expect(await drafts.list(PREFIX)).toEqual([keyOf('2')]);
  });

  it('that is new goes on with the newest copy of closed tabs and its undo, and with the one of an older version', async () => {
    const drafts = await storeWith({
      [PREFIX]: copyOf(tourWith('Old', 'B'), { at: 1 }),
      [keyOf('2')]: copyOf(tourWith('A', 'Two'), { at: 2 }),
      'ann tour-2': copyOf(tourWith('Other', 'Other')),
    });
    const copy = await takeCopies(drafts, tabWith('3'), PREFIX, start);
    expect(copy && titlesOf(copy.document)).toEqual(['Old', 'Two']);
    expect(copy?.history.past).toEqual([expect.objectContaining({ at: 2 })]);
    expect(await drafts.list(PREFIX)).toEqual([keyOf('3')]);
    expect(await drafts.read('ann tour-2')).toBeDefined();
  });
});

describe('two copies', () => {
  it('with different texts at the same place become a clash with oneself', () => {
    const joined = joinCopies(copyOf(tourWith('One', 'B')), copyOf(tourWith('Two', 'B')), start);
    expect(joined?.clashes).toEqual([
      { of: 'a', field: 'title', mine: 'One', theirs: 'Two', by: { name: '', isMe: true } },
    ]);
    expect(joined && titlesOf(joined.document)).toEqual(['One', 'B']);
  });

  it('keep the clash of the closed tab with what the server has', () => {
    const server = { document: tourWith('Ben’s', 'B'), updated_at: 't2' };
    const joined = joinCopies(copyOf(tourWith('A', 'One')), copyOf(tourWith('Two', 'B')), server);
    expect(joined?.clashes).toEqual([{ of: 'a', field: 'title', mine: 'Two', theirs: 'Ben’s' }]);
    expect(joined && titlesOf(joined.document)).toEqual(['Two', 'One']);
  });

  it('are not joined if both changed what somebody else has changed too', () => {
    const server = { document: tourWith('Ben’s', 'B'), updated_at: 't2' };
    expect(joinCopies(copyOf(tourWith('One', 'B')), copyOf(tourWith('Two', 'B')), server)).toBeUndefined();
  });

  it('are the own one if everything of the other is saved, also later than this page has loaded', () => {
    const own = copyOf(tourWith('One', 'B'));
    expect(joinCopies(own, copyOf(start.document), start)).toBe(own);
    const later = { document: tourWith('A', 'Saved'), updated_at: 't2' };
    expect(joinCopies(own, copyOf(later.document, { base: later }), start)).toBe(own);
  });

  it('are compared with the newest state of the server that either knows', () => {
    const later = { document: tourWith('A', 'Saved'), updated_at: 't2' };
    const joined = joinCopies(
      copyOf(tourWith('One', 'B')),
      copyOf(tourWith('A', 'Saved and more'), { base: later }),
      start,
    );
    expect(joined && titlesOf(joined.document)).toEqual(['One', 'Saved and more']);
    expect(joined).toMatchObject({ base: later, clashes: [] });
  });
});
