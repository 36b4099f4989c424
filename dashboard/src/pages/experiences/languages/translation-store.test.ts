import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noCounts } from '../../../languages/progress-bar.tsx';
import type { ExperienceTexts, TextPlace } from './texts.ts';
import { type TextEdit, TranslationStore, type WriteResult, type WrittenText } from './translation-store.ts';

const title: TextPlace = { language: 'de', modelId: 'step', field: 'title' };
const body: TextPlace = { language: 'de', modelId: 'step', field: 'body' };
const arabic: TextPlace = { ...title, language: 'ar' };

/** The texts that the server has. A key is a language and a field, such as `de title`. */
type Stored = Record<string, string>;
function show(stored: Stored): ExperienceTexts {
  const texts = ['title', 'body'].map((field) => ({
    ...{ model_id: 'step', field, key: field, is_markdown: field === 'body', max_length: 100, is_shown: true },
    text: `source ${field}`,
    translations: Object.fromEntries(
      Object.entries(stored)
        .filter(([key]) => key.endsWith(` ${field}`))
        .map(([key, text]) => [key.split(' ')[0] as string, { text, is_outdated: false, is_reviewed: true }]),
    ),
    inherited: {},
  }));
  const experience = { id: 'e', kind: 'tour' as const, name: 'Welcome', updated_at: '2026-01-01T00:00:00.000Z' };
  const counts = { ...noCounts, texts_count: 2 };
  const languages = [
    { code: 'de', direction: 'ltr' as const, ...counts },
    { code: 'ar', direction: 'rtl' as const, ...counts },
  ];
  return { experience, languages, steps: [{ id: 'step', name: null, texts }] };
}

/** Writes as the server does: all texts or none, and only if `previous` is the current text. */
class Server {
  stored: Stored = {};
  written: [language: string, texts: WrittenText[]][] = [];
  isDown = false;

  async write(language: string, texts: WrittenText[]): Promise<WriteResult> {
    if (this.isDown) return { kind: 'unreachable' };
    this.written.push([language, texts]);
    const keyOf = ({ field }: WrittenText) => `${language} ${field}`;
    const bad = texts.flatMap(({ text }, at) => (text?.includes('{{') ? [[at, 'Has a bad tag.'] as const] : []));
    if (bad.length > 0) return { kind: 'rejected', problems: new Map(bad), message: 'bad' };
    if (texts.some((one) => one.previous !== (this.stored[keyOf(one)] ?? null)))
      return { kind: 'changed', shown: show(this.stored) };
    for (const one of texts) {
      if (one.text === null) delete this.stored[keyOf(one)];
      else this.stored[keyOf(one)] = one.text;
    }
    return { kind: 'saved', shown: show(this.stored) };
  }
}

let server: Server;
let kept: readonly TextEdit[];
function open(before: readonly TextEdit[] = []): TranslationStore {
  return new TranslationStore(show(server.stored), before, {
    write: (language, texts) => server.write(language, texts),
    keep: (edits) => {
      kept = edits;
    },
  });
}
const editOf = (store: TranslationStore, { language, field }: TextPlace) =>
  store.getState().edits.get(`${language} step ${field}`);
beforeEach(() => {
  server = new Server();
  kept = [];
});

describe('typing a translation', () => {
  it('is saved after a pause, each language with one request', async () => {
    vi.useFakeTimers();
    try {
      const store = open();
      store.type(title, 'Hallo');
      store.type(body, 'Welt');
      store.type(arabic, 'أهلا');
      expect([store.getState().saved.kind, kept.length]).toEqual(['unsaved', 3]);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(server.stored).toEqual({ 'de title': 'Hallo', 'de body': 'Welt', 'ar title': 'أهلا' });
      expect(server.written.map(([language, texts]) => [language, texts.length])).toEqual([
        ['de', 2],
        ['ar', 1],
      ]);
      expect([store.getState().saved.kind, kept.length]).toEqual(['saved', 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('removes a translation when the field is emptied', async () => {
    server.stored = { 'de title': 'Hallo' };
    const store = open();
    store.type(title, ' ');
    await store.save();
    expect(server.stored).toEqual({});
  });

  it('sends nothing when the text is as it was', async () => {
    server.stored = { 'de title': 'Hallo' };
    const store = open();
    store.type(title, 'Hall');
    store.type(title, 'Hallo');
    await store.save();
    expect(server.written).toEqual([]);
  });

  it('keeps what is typed while a request is on its way', async () => {
    const store = open();
    store.type(title, 'Hal');
    const saving = store.save();
    store.type(title, 'Hallo');
    await saving;
    expect(store.valueOf(title)).toBe('Hallo');
    await store.save();
    expect(server.stored).toEqual({ 'de title': 'Hallo' });
    expect(server.written[1]?.[1]).toMatchObject([{ previous: 'Hal', text: 'Hallo' }]);
  });
});

it('keeps a new line that is typed after a save', async () => {
  server.stored = { 'de body': 'Welt' };
  const store = open();
  store.type(body, 'Welt\n');
  expect(store.valueOf(body)).toBe('Welt\n');
});

it('takes back a text while it is being saved', async () => {
  server.stored = { 'de title': 'Hallo' };
  const store = open();
  store.type(title, '');
  const saving = store.save();
  store.undo();
  await saving;
  await store.save();
  expect([server.stored, store.valueOf(title)]).toEqual([{ 'de title': 'Hallo' }, 'Hallo']);
});

it('keeps a text that the server rejects, with the reason, and saves the others', async () => {
  const store = open();
  store.type(title, '{{oops');
  store.type(body, 'Welt');
  await store.save();
  expect(server.stored).toEqual({ 'de body': 'Welt' });
  expect(editOf(store, title)).toMatchObject({ text: '{{oops', problem: 'Has a bad tag.' });
  expect(store.getState().saved).toMatchObject({ kind: 'rejected' });
  store.type(title, 'Hallo');
  await store.save();
  expect([server.stored['de title'], store.getState().saved.kind]).toEqual(['Hallo', 'saved']);
});

describe('a text that somebody else has written meanwhile', () => {
  let store: TranslationStore;
  beforeEach(async () => {
    store = open();
    store.type(title, 'Mine');
    store.type(body, 'Welt');
    server.stored = { 'de title': 'Theirs' };
    await store.save();
  });

  it('is shown, mine stays in the field, and other texts are saved', () => {
    expect(server.stored).toEqual({ 'de title': 'Theirs', 'de body': 'Welt' });
    expect(editOf(store, title)).toMatchObject({ text: 'Mine', theirs: { text: 'Theirs' } });
    expect(store.valueOf(title)).toBe('Mine');
  });

  it('is replaced when the person keeps theirs', async () => {
    store.resolve(title, 'mine');
    await store.save();
    expect(server.stored['de title']).toBe('Mine');
    expect(store.getState().edits.size).toBe(0);
  });

  it('is taken over when the person chooses so', async () => {
    store.resolve(title, 'theirs');
    await store.save();
    expect([server.stored['de title'], store.valueOf(title)]).toEqual(['Theirs', 'Theirs']);
  });

  it('waits while the person types on', async () => {
    store.type(title, 'Mine again');
    await store.save();
    expect(server.stored['de title']).toBe('Theirs');
    expect(editOf(store, title)).toMatchObject({ text: 'Mine again', theirs: { text: 'Theirs' } });
  });
});

it('shows the same text of two people as saved', async () => {
  const store = open();
  store.type(title, 'Hallo');
  server.stored = { 'de title': 'Hallo' };
  store.receive(show(server.stored));
  expect(store.getState().edits.size).toBe(0);
});

it('undoes and redoes texts one by one, and saves that', async () => {
  server.stored = { 'de title': 'Hallo' };
  const store = open();
  store.type(title, 'Hallo W');
  store.type(title, 'Hallo Welt');
  store.type(body, 'Text');
  await store.save();
  store.undo();
  expect([store.valueOf(body), store.getState().moved?.place]).toEqual(['', body]);
  store.undo();
  await store.save();
  expect(server.stored).toEqual({ 'de title': 'Hallo' });
  store.redo();
  await store.save();
  expect(server.stored).toEqual({ 'de title': 'Hallo Welt' });
});

it('writes a text again to say that it is still right', async () => {
  server.stored = { 'de title': 'Hallo' };
  const store = open();
  store.confirm(title);
  await store.save();
  expect(server.written).toEqual([['de', [{ model_id: 'step', field: 'title', text: 'Hallo', previous: 'Hallo' }]]]);
  expect(store.getState().edits.size).toBe(0);
});

it('forgets what was typed into a step that is gone', async () => {
  const store = open();
  store.type(title, 'Hallo');
  store.receive({ ...show({}), steps: [] });
  expect([store.getState().edits.size, kept]).toEqual([0, []]);
});

it('goes on with what could not be saved when the page is opened again', async () => {
  server.isDown = true;
  const first = open();
  first.type(title, 'Hallo');
  await first.save();
  expect(first.getState().saved.kind).toBe('unreachable');
  server.isDown = false;
  const second = open(kept);
  expect(second.valueOf(title)).toBe('Hallo');
  await second.save();
  expect(server.stored).toEqual({ 'de title': 'Hallo' });
  first.stop();
});
