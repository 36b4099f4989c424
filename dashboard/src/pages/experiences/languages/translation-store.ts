import type { SaveState } from '../../../editor/editor-store.ts';
import { canJoin, type TextHistory } from './text-history.ts';
import { type ExperienceTexts, isThere, keyOf, ownText, type TextPlace } from './texts.ts';

/** A text to write. Null removes the translation. `previous` is the text from when the person began to type. */
export interface WrittenText {
  model_id: string;
  field: string;
  text: string | null;
  previous: string | null;
}

/** The result of an attempt to save. */
export type WriteResult =
  | { kind: 'saved'; shown: ExperienceTexts }
  /** Somebody else has changed one of the texts, and nothing was written. */
  | { kind: 'changed'; shown: ExperienceTexts }
  /** The problems of some texts, by index. Nothing was written. */
  | { kind: 'rejected'; problems: ReadonlyMap<number, string>; message: string }
  | { kind: 'unreachable' }
  | { kind: 'gone' };

/** A typed text that the server does not have yet. */
export interface TextEdit {
  place: TextPlace;
  text: string;
  /** The text of the server when the person began to type. */
  base: string | null;
  /** Why the server rejects the text. */
  problem?: string;
  /** The text that somebody else has written meanwhile; null if they have removed it. */
  theirs?: { text: string | null };
}

export interface TranslationsState {
  /** The texts as in the last response of the server. */
  shown: ExperienceTexts;
  edits: ReadonlyMap<string, TextEdit>;
  saved: SaveState;
  history: TextHistory;
  /** The text that undo or redo has changed last, so that it can be shown. */
  moved: { place: TextPlace; count: number } | undefined;
}

interface Dependencies {
  /** Sends texts. `isLast`: the page is about to be closed. */
  write(language: string, texts: WrittenText[], isLast: boolean): Promise<WriteResult>;
  /** Keeps unsaved texts in this browser. */
  keep(edits: readonly TextEdit[]): void;
}

const SAVE_MS = 1_000;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** The number of attempts is limited, because somebody else may write all the time. */
const MAX_ATTEMPTS = 10;

/** The translations that a person types: saves them, and handles conflicts with texts of other people. */
export class TranslationStore {
  readonly #deps: Dependencies;
  readonly #listeners = new Set<() => void>();
  #state: TranslationsState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #saving: Promise<void> | undefined;

  /** `kept` are the texts that this browser could not save the last time. */
  constructor(shown: ExperienceTexts, kept: readonly TextEdit[], deps: Dependencies) {
    this.#deps = deps;
    const edits = compareAll(new Map(kept.map((edit) => [keyOf(edit.place), edit])), shown);
    const saved = edits.size > 0 ? savedState(edits) : ({ kind: 'saved', at: undefined } as const);
    this.#state = { shown, edits, saved, history: { past: [], future: [] }, moved: undefined };
    if (edits.size > 0) this.#saveLater();
  }

  readonly getState = (): TranslationsState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  #set(changes: Partial<TranslationsState>): void {
    this.#state = { ...this.#state, ...changes };
    if (changes.edits) this.#deps.keep([...changes.edits.values()]);
    for (const listener of this.#listeners) listener();
  }

  /** The text in the field: the typed text, or the one of the server. */
  readonly valueOf = (place: TextPlace): string => valueIn(this.#state, place);

  readonly type = (place: TextPlace, text: string): void => {
    const before = this.valueOf(place);
    if (text === before) return;
    const { past } = this.#state.history;
    const [last, entry] = [past.at(-1), { place, before, after: text, at: Date.now() }];
    const joined = last && canJoin(last, entry) ? { ...entry, before: last.before } : undefined;
    this.#set({ history: { past: joined ? [...past.slice(0, -1), joined] : [...past, entry], future: [] } });
    this.#edit(place, text);
  };

  readonly undo = (): void => {
    const { past, future } = this.#state.history;
    const last = past.at(-1);
    if (last) this.#move(last.place, last.before, { past: past.slice(0, -1), future: [...future, last] });
  };

  readonly redo = (): void => {
    const { past, future } = this.#state.history;
    const next = future.at(-1);
    if (next) this.#move(next.place, next.after, { past: [...past, next], future: future.slice(0, -1) });
  };

  #move(place: TextPlace, text: string, history: TextHistory): void {
    this.#set({ history, moved: { place, count: (this.#state.moved?.count ?? 0) + 1 } });
    this.#edit(place, text);
  }

  #edit(place: TextPlace, text: string): void {
    const old = this.#state.edits.get(keyOf(place));
    const base = old ? old.base : ownText(this.#state.shown, place);
    // A request in progress may change the text of the server.
    const isUndone = text === (base ?? '') && !old?.theirs && !this.#saving;
    this.#setEdit(place, isUndone ? undefined : { place, text, base, ...(old?.theirs && { theirs: old.theirs }) });
    this.#saveLater();
  }

  #setEdit(place: TextPlace, edit: TextEdit | undefined): void {
    const edits = new Map(this.#state.edits);
    if (edit) edits.set(keyOf(place), edit);
    else edits.delete(keyOf(place));
    const isBusy = this.#saving !== undefined || ['unreachable', 'gone'].includes(this.#state.saved.kind);
    this.#set({ edits, ...(!isBusy && { saved: savedState(edits) }) });
  }

  /**
   * Writes the same translation again, because the person says that it is still right although its source has changed.
   */
  readonly confirm = (place: TextPlace): void => {
    const text = ownText(this.#state.shown, place);
    if (text === null || this.#state.edits.has(keyOf(place))) return;
    this.#setEdit(place, { place, text, base: text });
    void this.save();
  };

  /** Sets the text that the person has chosen: their own, or that of somebody else. */
  readonly resolve = (place: TextPlace, whose: 'mine' | 'theirs'): void => {
    const edit = this.#state.edits.get(keyOf(place));
    if (!edit?.theirs) return;
    const { theirs, ...mine } = edit;
    this.#setEdit(place, whose === 'mine' ? { ...mine, base: theirs.text } : undefined);
    void this.save();
  };

  /** Takes the current texts of the server, after the page has refetched them. */
  readonly receive = (shown: ExperienceTexts): void => {
    if (this.#saving || shown === this.#state.shown) return;
    this.#set({ shown, edits: compareAll(this.#state.edits, shown) });
  };

  #saveLater(wait = SAVE_MS): void {
    clearTimeout(this.#timer);
    if (this.#state.saved.kind !== 'gone') this.#timer = setTimeout(() => void this.save(), wait);
  }

  /** Saves now what can be saved. */
  readonly save = async (isLast = false): Promise<void> => {
    clearTimeout(this.#timer);
    if (this.#saving) await this.#saving;
    if (this.#state.saved.kind === 'gone' || listReady(this.#state.edits).length === 0) return;
    this.#set({ saved: { kind: 'saving' } });
    this.#saving = this.#sendAll(isLast).finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
    // Texts were typed while the request was sent.
    if (this.#state.saved.kind === 'unsaved') this.#saveLater();
  };

  /** Sends one language after the other. Each attempt ends with fewer texts that are ready, or without a connection. */
  async #sendAll(isLast: boolean): Promise<void> {
    const sent = new Set<TextEdit>();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const ready = listReady(this.#state.edits).filter((edit) => !sent.has(edit));
      const [first] = ready;
      if (!first) break;
      const part = ready.filter(({ place }) => place.language === first.place.language);
      for (const edit of part) sent.add(edit);
      const result = await this.#deps.write(first.place.language, part.map(toWritten), isLast);
      if (result.kind === 'gone') {
        this.#set({ saved: result });
        return;
      }
      if (result.kind === 'unreachable') {
        this.#set({ saved: result });
        this.#saveLater(this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
        return;
      }
      this.#retryMs = FIRST_RETRY_MS;
      this.#receiveResult(part, result);
    }
    this.#set({ saved: savedState(this.#state.edits) });
  }

  #receiveResult(part: readonly TextEdit[], result: Exclude<WriteResult, { kind: 'gone' | 'unreachable' }>): void {
    const edits = new Map(this.#state.edits);
    const isUntouched = (edit: TextEdit) => edits.get(keyOf(edit.place)) === edit;
    if (result.kind === 'rejected') {
      for (const [index, edit] of part.entries()) {
        const problem = result.problems.size > 0 ? result.problems.get(index) : result.message;
        // The other texts are sent again without the rejected one.
        if (isUntouched(edit)) edits.set(keyOf(edit.place), { ...edit, ...(problem !== undefined && { problem }) });
      }
      this.#set({ edits });
      return;
    }
    const { shown, kind } = result;
    if (kind === 'changed') {
      const compared = compareAll(edits, shown);
      // Copies of the edits are sent again, except for those with a conflict, which wait for the person.
      for (const [key, edit] of compared) compared.set(key, { ...edit });
      this.#set({ shown, edits: compared });
      return;
    }
    for (const edit of part) {
      const now = edits.get(keyOf(edit.place));
      if (now === edit) edits.delete(keyOf(edit.place));
      else if (now) edits.set(keyOf(edit.place), { ...now, base: toWritten(edit).text });
    }
    this.#set({ shown, edits: compareAll(edits, shown) });
  }

  /** Saves now, because the page is about to be closed, or goes to the background. */
  readonly flush = (): void => void this.save(true);

  /** Tries again now, because the connection is back. */
  readonly retryNow = (): void => {
    if (this.#state.saved.kind === 'unreachable') void this.save();
  };

  readonly stop = (): void => {
    this.flush();
    clearTimeout(this.#timer);
  };
}

/** The text in a field: the typed text, or the one of the server. */
export function valueIn({ shown, edits }: Pick<TranslationsState, 'shown' | 'edits'>, place: TextPlace): string {
  return edits.get(keyOf(place))?.text ?? ownText(shown, place) ?? '';
}

/** Lists the edits that can be sent. Edits with a problem, or with a text of somebody else, wait for the person. */
function listReady(edits: TranslationsState['edits']): TextEdit[] {
  return [...edits.values()].filter(({ problem, theirs }) => problem === undefined && !theirs);
}

function savedState(edits: TranslationsState['edits']): SaveState {
  const problem = [...edits.values()].find((edit) => edit.problem !== undefined)?.problem;
  if (listReady(edits).length > 0) return { kind: 'unsaved' };
  return problem === undefined ? { kind: 'saved', at: Date.now() } : { kind: 'rejected', message: problem };
}

function toWritten({ place: { modelId, field }, text, base }: TextEdit): WrittenText {
  return { model_id: modelId, field, text: text.trim() === '' ? null : text, previous: base };
}

/** Finds the texts that somebody else has changed since the person began to type. */
function compareAll(edits: TranslationsState['edits'], shown: ExperienceTexts): Map<string, TextEdit> {
  const compared = new Map<string, TextEdit>();
  for (const [key, edit] of edits) {
    // The step or the language of the text was removed, so there is no field for it anymore.
    if (!isThere(shown, edit.place)) continue;
    const now = ownText(shown, edit.place);
    const { theirs: _, ...mine } = edit;
    if (now === edit.base) compared.set(key, edit.theirs ? mine : edit);
    else if (now !== toWritten(edit).text) compared.set(key, { ...mine, theirs: { text: now } });
  }
  return compared;
}
