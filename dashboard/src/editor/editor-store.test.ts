import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changedParams } from './changed-params.ts';
import { addPart, removePart, setFields, setPart } from './commands.ts';
import { applyDiff, diffDocuments } from './diff.ts';
import type { Document } from './document.ts';
import { type Base, type DraftStore, LOCAL_FORMAT, memoryDrafts, readCopy } from './drafts.ts';
import { EditorStore, type SaveResult } from './editor-store.ts';
import { titlesOf, tourWith } from './test-document.ts';

const ann = { name: 'Ann', isMe: false };

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** A small imitation of how the server saves a document. The browser tests use the real server. */
function serverWith(document: Document) {
  let count = 0;
  const server = {
    base: { document, updated_at: 't0' } as Base,
    answer: undefined as SaveResult | undefined,
    saves: [] as object[],
    write(next: Document) {
      server.base = { document: next, updated_at: `t${++count}` };
    },
  };
  const save = async (params: Record<string, unknown>, base: Base): Promise<SaveResult> => {
    server.saves.push(params);
    if (server.answer) return server.answer;
    if (base.updated_at !== server.base.updated_at) return { kind: 'changed', base: server.base, by: ann };
    server.write(applyParams(base.document, params));
    return { kind: 'saved', base: server.base };
  };
  return { server, save };
}

function applyParams(document: Document, params: Record<string, unknown>): Document {
  const { steps, ...fields } = params as { steps?: { id: string }[] };
  const known = new Map(document.steps.map((step) => [step.id, step]));
  const written = steps?.map((step, position) => ({ buttons: [], ...known.get(step.id), ...step, position }));
  return { ...document, ...fields, ...(written && { steps: written as Document['steps'] }) };
}

const open = (document: Document, drafts: DraftStore = memoryDrafts()) => {
  const { server, save } = serverWith(document);
  const start = async () => new EditorStore(server.base, await drafts.read('key'), { key: 'key', drafts, save });
  return { server, drafts, start, store: new EditorStore(server.base, undefined, { key: 'key', drafts, save }) };
};
const type = (store: EditorStore, id: string, text: string) => {
  for (let end = 1; end <= text.length; end++) store.change(setPart(id, { title: text.slice(0, end) }));
};

describe('saving', () => {
  it('happens 3 seconds after the last key, and in this browser within one second', async () => {
    const { store, server, drafts } = open(tourWith('A'));
    type(store, 'a', 'Hello');
    expect(store.getState().saved.kind).toBe('unsaved');
    await vi.advanceTimersByTimeAsync(1000);
    expect((await drafts.read('key'))?.document.steps[0]?.title).toBe('Hello');
    expect(server.saves).toEqual([]);
    store.change(setPart('a', { title: 'Hello you' }));
    await vi.advanceTimersByTimeAsync(2999);
    expect(server.saves).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.saves).toEqual([{ steps: [{ id: 'a', title: 'Hello you' }] }]);
    expect(store.getState().saved.kind).toBe('saved');
  });

  it('sends nothing if nothing has changed in the end', async () => {
    const { store, server } = open(tourWith('A'));
    store.change(setPart('a', { title: 'B' }));
    store.undo();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.saves).toEqual([]);
    expect(store.getState().saved.kind).toBe('saved');
  });

  it('keeps what is typed while a save is on its way, and saves it next', async () => {
    const { store, server } = open(tourWith('A'));
    store.change(setPart('a', { title: 'One' }));
    const saving = store.save();
    store.change(setPart('a', { title: 'One two' }));
    await saving;
    expect(titlesOf(store.getState().document)).toEqual(['One two']);
    await vi.advanceTimersByTimeAsync(3000);
    expect(titlesOf(server.base.document)).toEqual(['One two']);
  });

  it('tries again after a lost connection, with longer pauses, and loses nothing', async () => {
    const { store, server } = open(tourWith('A'));
    server.answer = { kind: 'unreachable' };
    store.change(setPart('a', { title: 'Typed' }));
    await vi.advanceTimersByTimeAsync(3000);
    expect(store.getState().saved.kind).toBe('unreachable');
    await vi.advanceTimersByTimeAsync(2000 + 4000);
    expect(server.saves).toHaveLength(3);
    store.change(setPart('a', { title: 'Typed more' }));
    expect(store.getState().saved.kind).toBe('unreachable');
    server.answer = undefined;
    store.retryNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(titlesOf(server.base.document)).toEqual(['Typed more']);
    expect(store.getState().saved.kind).toBe('saved');
  });

  it('waits for another change after the server has rejected one', async () => {
    const { store, server } = open(tourWith('A'));
    server.answer = { kind: 'rejected', message: 'Too long.' };
    store.change(setPart('a', { title: 'Long' }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.saves).toHaveLength(1);
    expect(store.getState().saved).toEqual({ kind: 'rejected', message: 'Too long.' });
    server.answer = undefined;
    store.change(setPart('a', { title: 'Short' }));
    await vi.advanceTimersByTimeAsync(3000);
    expect(titlesOf(server.base.document)).toEqual(['Short']);
  });

  it('stops when it is deleted, and keeps the text', async () => {
    const { store, server } = open(tourWith('A'));
    server.answer = { kind: 'gone' };
    store.change(setPart('a', { title: 'Typed' }));
    await vi.advanceTimersByTimeAsync(3000);
    store.change(setPart('a', { title: 'Typed more' }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.saves).toHaveLength(1);
    expect(store.getState().saved.kind).toBe('gone');
    expect(titlesOf(store.getState().document)).toEqual(['Typed more']);
  });

  it('stores what waits when the page is left, and keeps no timer', async () => {
    const { store, server, drafts } = open(tourWith('A'));
    store.change(setPart('a', { title: 'Last word' }));
    store.stop();
    expect((await drafts.read('key'))?.document.steps[0]?.title).toBe('Last word');
    await vi.advanceTimersByTimeAsync(0);
    expect(titlesOf(server.base.document)).toEqual(['Last word']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a change by somebody else', () => {
  it('is merged when a save meets it, and both are saved', async () => {
    const { store, server } = open(tourWith('A', 'B'));
    store.change(setPart('a', { title: 'Mine' }));
    server.write(applyDiff(server.base.document, diffDocuments(tourWith('A', 'B'), tourWith('A', 'Theirs'))));
    await vi.advanceTimersByTimeAsync(3000);
    expect(titlesOf(server.base.document)).toEqual(['Mine', 'Theirs']);
    expect(titlesOf(store.getState().document)).toEqual(['Mine', 'Theirs']);
    expect(store.getState()).toMatchObject({ merged: { by: ann }, clashes: [], saved: { kind: 'saved' } });
  });

  it('of the same text is not overwritten until the person has chosen', async () => {
    const { store, server } = open(tourWith('A', 'B'));
    store.change(setPart('a', { title: 'Mine' }), setPart('b', { title: 'Also mine' }));
    server.write(tourWith('Theirs', 'B'));
    await vi.advanceTimersByTimeAsync(3000);
    expect(titlesOf(server.base.document)).toEqual(['Theirs', 'Also mine']);
    expect(titlesOf(store.getState().document)).toEqual(['Mine', 'Also mine']);
    const [clash] = store.getState().clashes;
    expect(clash).toEqual({ of: 'a', field: 'title', mine: 'Mine', theirs: 'Theirs', by: ann });
    expect(await store.save()).toBe(false);
    store.resolve({ of: 'a', field: 'title' }, 'Both');
    expect(await store.save()).toBe(true);
    expect(titlesOf(server.base.document)).toEqual(['Both', 'Also mine']);
  });

  it('says whether it was published, paused or archived', () => {
    const { store, server } = open(tourWith('A'));
    const whatAfter = (changes: Partial<Document>) => {
      server.write({ ...server.base.document, ...changes });
      store.receive(server.base);
      return store.getState().merged?.what;
    };
    expect(whatAfter({ published_at: '2026-01-01T00:00:00Z' })).toBe('published');
    expect(whatAfter({ published_at: null })).toBe('unpublished');
    expect(whatAfter({ archived_at: '2026-01-01T00:00:00Z' })).toBe('archived');
    expect(whatAfter({ archived_at: null })).toBe('restored');
    expect(whatAfter({ goal: 'paid' })).toBe('changed');
  });

  it('is shown when the page looks again, and an old answer is not', () => {
    const { store, server } = open(tourWith('A'));
    server.write(tourWith('Theirs'));
    store.receive(server.base);
    expect(titlesOf(store.getState().document)).toEqual(['Theirs']);
    store.receive({ document: tourWith('A'), updated_at: 't0' });
    expect(titlesOf(store.getState().document)).toEqual(['Theirs']);
  });

  it('can be undone around: undo takes back my own change only', async () => {
    const { store, server } = open(tourWith('A', 'B'));
    store.change(setPart('a', { title: 'Mine' }));
    server.write(tourWith('A', 'Theirs'));
    await vi.advanceTimersByTimeAsync(3000);
    store.undo();
    expect(titlesOf(store.getState().document)).toEqual(['A', 'Theirs']);
  });
});

describe('undo and redo', () => {
  it('take back a typed word at a time', () => {
    const { store } = open(tourWith('A'));
    type(store, 'a', 'Hello');
    vi.advanceTimersByTime(1500);
    type(store, 'a', 'Hello you');
    store.undo();
    expect(titlesOf(store.getState().document)).toEqual(['Hello']);
    store.undo();
    expect(titlesOf(store.getState().document)).toEqual(['A']);
    store.redo();
    store.redo();
    expect(titlesOf(store.getState().document)).toEqual(['Hello you']);
    expect(store.getState().moved).toMatchObject({ of: 'a', field: 'title' });
  });

  it('bring back a removed step with everything in it', () => {
    const { store } = open(tourWith('A', 'B'));
    store.change(removePart('steps', 'a'));
    store.undo();
    expect(store.getState().document).toEqual(tourWith('A', 'B'));
  });

  it('work after a reload, together with what was not saved', async () => {
    const { store, start, server } = open(tourWith('A'));
    server.answer = { kind: 'unreachable' };
    store.change(addPart('steps', { title: 'New' }));
    store.change(setFields({ name: 'Renamed' }));
    await vi.advanceTimersByTimeAsync(1000);
    store.stop();
    server.answer = undefined;
    const again = await start();
    expect(again.getState().document).toMatchObject({ name: 'Renamed', steps: [{ title: 'A' }, { title: 'New' }] });
    again.undo();
    again.undo();
    expect(again.getState().document).toEqual(tourWith('A'));
    again.redo();
    await vi.advanceTimersByTimeAsync(3000);
    expect(titlesOf(server.base.document)).toEqual(['A', 'New']);
  });

  it('are forgotten from the next change on', () => {
    const { store } = open(tourWith('A'));
    store.change(setPart('a', { title: 'B' }));
    store.undo();
    store.change(setPart('a', { title: 'C' }));
    expect(store.getState().history.future).toEqual([]);
  });
});

describe('the local copy', () => {
  it('is merged with what others have saved meanwhile', async () => {
    const { store, start, server } = open(tourWith('A', 'B'));
    server.answer = { kind: 'unreachable' };
    store.change(setPart('a', { title: 'Mine' }));
    await vi.advanceTimersByTimeAsync(1000);
    store.stop();
    server.answer = undefined;
    server.write(tourWith('A', 'Theirs'));
    const again = await start();
    expect(titlesOf(again.getState().document)).toEqual(['Mine', 'Theirs']);
    await vi.advanceTimersByTimeAsync(3000);
    expect(titlesOf(server.base.document)).toEqual(['Mine', 'Theirs']);
  });

  it('remembers a clash that waits for the person', async () => {
    const { store, start, server } = open(tourWith('A'));
    store.change(setPart('a', { title: 'Mine' }));
    server.write(tourWith('Theirs'));
    await vi.advanceTimersByTimeAsync(5000);
    store.stop();
    const again = await start();
    expect(again.getState().clashes).toEqual([{ of: 'a', field: 'title', mine: 'Mine', theirs: 'Theirs', by: ann }]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(titlesOf(server.base.document)).toEqual(['Theirs']);
  });

  it('of another format is used without its history, and nonsense is not', () => {
    const base = { document: tourWith('A'), updated_at: 't' };
    const copy = { format: LOCAL_FORMAT + 1, base, document: tourWith('B'), history: 'new shape', clashes: 7 };
    expect(readCopy(copy)).toMatchObject({ document: tourWith('B'), history: { past: [], future: [] }, clashes: [] });
    for (const nonsense of [null, undefined, 7, {}, { document: {} }, { ...copy, base: {} }])
      expect(readCopy(nonsense)).toBeUndefined();
  });
});

it('compares 200 long steps fast enough for each key', () => {
  const steps = Array.from({ length: 200 }, (_, index) => ({
    id: `s${index}`,
    title: `Step ${index}`,
    body: 'text '.repeat(400),
  }));
  const { store } = open(tourWith(...steps));
  const before = performance.now();
  for (let count = 0; count < 100; count++) store.change(setPart('s50', { title: `Title ${count}` }));
  // This is one frame of the screen. A change took 4 ms on a busy machine with two cores.
  expect((performance.now() - before) / 100).toBeLessThan(16);
  expect(Object.keys(changedParams(store.getState().base.document, store.getState().document))).toEqual(['steps']);
});
