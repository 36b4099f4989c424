import { produce } from 'immer';
import { changedParams } from './changed-params.ts';
import type { Command } from './commands.ts';
import { numberParts } from './diff.ts';
import { type Document, isEqual } from './document.ts';
import { type Base, type DraftStore, LOCAL_FORMAT, type LocalCopy } from './drafts.ts';
import { emptyHistory, type History, recordChange, redo, undo } from './history.ts';
import { type Clash, mergeDocuments, refreshClashes, setValues, withTheirs } from './merge.ts';

/** The other person who has changed the document. */
export interface Author {
  name: string;
  /** Whether it is the same person, in another window. */
  isMe: boolean;
}

/** A clash, and the person who made the other change. */
export interface OpenClash extends Clash {
  by?: Author | undefined;
}

/** The result of an attempt to save. */
export type SaveResult =
  | { kind: 'saved'; base: Base }
  /** Somebody else has changed the document. */
  | { kind: 'changed'; base: Base; by?: Author | undefined }
  /** The Experience was deleted. */
  | { kind: 'gone' }
  /** The server or its database cannot be reached, so it helps to try again. */
  | { kind: 'unreachable' }
  /** The server rejects the document, so something must be changed first. */
  | { kind: 'rejected'; message: string };

export type SaveState =
  | { kind: 'saved'; at: number | undefined }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  | { kind: 'unreachable' }
  | { kind: 'rejected'; message: string }
  | { kind: 'gone' };

/** What somebody else has done to the Experience. */
type MergedChange = 'changed' | 'published' | 'unpublished' | 'archived' | 'restored';

export interface EditorState {
  document: Document;
  /** The document that the server has, as far as this page knows. */
  base: Base;
  history: History;
  /** Fields that somebody else has changed too. The document keeps my values until the person has chosen. */
  clashes: readonly OpenClash[];
  saved: SaveState;
  /** Set when somebody else's changes have been merged into the document. */
  merged: { by: Author | undefined; at: number; what: MergedChange } | undefined;
  /** The field to show: what undo or redo has changed last, or what the person wants to see. */
  moved: { of: string; field?: string; count: number } | undefined;
}

interface Dependencies {
  key: string;
  drafts: DraftStore;
  /** Sends the changes. `isLast` means that the page is about to be closed. */
  save(params: Record<string, unknown>, base: Base, isLast: boolean): Promise<SaveResult>;
}

const LOCAL_MS = 400;
const SAVE_MS = 3_000;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/**
 * The document that a person edits: its changes, undo and redo, and where changes are stored. It does not depend on
 * React.
 */
export class EditorStore {
  readonly #deps: Dependencies;
  readonly #listeners = new Set<() => void>();
  #state: EditorState;
  #localTimer: ReturnType<typeof setTimeout> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #saving: Promise<void> | undefined;
  #isStopped = false;

  constructor(base: Base, copy: LocalCopy | undefined, deps: Dependencies) {
    this.#deps = deps;
    const fresh = { document: base.document, history: emptyHistory, clashes: [] };
    this.#state = { base, ...fresh, saved: { kind: 'saved', at: undefined }, merged: undefined, moved: undefined };
    if (copy) this.#continueWith(copy, base);
  }

  readonly getState = (): EditorState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Continues with the local copy of this browser. Others may have changed the document meanwhile. */
  #continueWith({ base, document, history, clashes }: LocalCopy, now: Base): void {
    this.#state = { ...this.#state, base, document, history, clashes };
    // Another tab may have saved a state that is newer than the one that this page has loaded.
    if (base.updated_at < now.updated_at) this.#mergeWith(now, undefined);
    this.#state = { ...this.#state, merged: undefined };
    if (this.#isDirty()) this.#saveLater();
  }

  #set(changes: Partial<EditorState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  readonly change = (...commands: Command[]): void => {
    const before = this.#state.document;
    const after = numberParts(applyCommands(before, commands));
    if (after === before) return;
    const history = recordChange(this.#state.history, before, after, Date.now(), commands[0]?.key);
    this.#edited({ document: after, history });
  };

  readonly undo = (): void => this.#move(undo(this.#state.document, this.#state.history));
  readonly redo = (): void => this.#move(redo(this.#state.document, this.#state.history));

  #move(result: ReturnType<typeof undo>): void {
    if (!result) return;
    const count = (this.#state.moved?.count ?? 0) + 1;
    const moved = result.at && { ...result.at, count };
    this.#edited({ document: result.document, history: result.history, moved });
  }

  #edited(changes: Partial<EditorState>): void {
    const { kind } = this.#state.saved;
    const isWaiting = kind === 'gone' || kind === 'unreachable' || this.#saving !== undefined;
    const clashes = refreshClashes(changes.document ?? this.#state.document, changes.clashes ?? this.#state.clashes);
    this.#set({ ...changes, clashes, ...(!isWaiting && { saved: { kind: 'unsaved' } }) });
    this.#storeLater();
    this.#saveLater();
  }

  /** Sets the value that the person has chosen for a clash. */
  readonly resolve = ({ of, field }: Pick<Clash, 'of' | 'field'>, value: unknown): void => {
    const before = this.#state.document;
    const after = setValues(before, [{ of, field, value }]);
    const clashes = this.#state.clashes.filter((clash) => clash.of !== of || clash.field !== field);
    const history = recordChange(this.#state.history, before, after, Date.now());
    this.#edited({ document: after, history, clashes });
  };

  /** Takes the current state of the server, from another request or because the page has refetched it. */
  readonly receive = (base: Base, by?: Author): void => {
    if (this.#saving || base.updated_at === this.#state.base.updated_at) return;
    // This response is older than what this page has saved meanwhile.
    if (base.updated_at < this.#state.base.updated_at) return;
    this.#mergeWith(base, by);
    this.#storeLater();
    if (this.#isDirty()) this.#saveLater();
    else this.#set({ saved: { kind: 'saved', at: Date.now() } });
  };

  /** Takes the response to a request of this page: nobody else has changed anything. */
  readonly receiveOwn = (base: Base): void => {
    const { merged } = this.#state;
    this.receive(base);
    this.#set({ merged });
  };

  /** Shows a field, wherever it is. */
  readonly show = (of: string, field?: string): void => {
    const count = (this.#state.moved?.count ?? 0) + 1;
    this.#set({ moved: { of, ...(field !== undefined && { field }), count } });
  };

  readonly markGone = (): void => {
    clearTimeout(this.#saveTimer);
    this.#set({ saved: { kind: 'gone' } });
  };

  #mergeWith(theirs: Base, by: Author | undefined): void {
    const { base, document, clashes } = this.#state;
    const merged = mergeDocuments(base.document, document, theirs.document);
    const places = new Set(merged.clashes.map(placeOf));
    // An older clash stays if the same field has not changed again.
    const older = clashes.filter((clash) => !places.has(placeOf(clash)));
    const isNews = !isEqual(merged.document, document);
    this.#set({
      base: theirs,
      document: merged.document,
      clashes: [...refreshClashes(merged.document, older), ...merged.clashes.map((clash) => ({ ...clash, by }))],
      ...(isNews && { merged: { by, at: Date.now(), what: whatChanged(base.document, theirs.document) } }),
    });
  }

  #isDirty(): boolean {
    const { document, base, clashes } = this.#state;
    return Object.keys(changedParams(base.document, withTheirs(document, clashes))).length > 0;
  }

  #storeLater(): void {
    this.#localTimer ??= setTimeout(() => {
      this.#localTimer = undefined;
      void this.#deps.drafts.write(this.#deps.key, this.#copy());
    }, LOCAL_MS);
  }

  #copy(): LocalCopy {
    const { base, document, history, clashes } = this.#state;
    return { format: LOCAL_FORMAT, base, document, history, clashes, stored_at: Date.now() };
  }

  #saveLater(wait = SAVE_MS): void {
    clearTimeout(this.#saveTimer);
    if (this.#isStopped || this.#state.saved.kind === 'gone') return;
    this.#saveTimer = setTimeout(() => void this.save(), wait);
  }

  /** Saves now. Resolves to whether the server has everything. */
  readonly save = async (isLast = false): Promise<boolean> => {
    clearTimeout(this.#saveTimer);
    if (this.#saving) await this.#saving;
    if (this.#state.saved.kind === 'gone') return false;
    if (!this.#isDirty()) {
      this.#set({ saved: { kind: 'saved', at: Date.now() } });
      return this.#state.clashes.length === 0;
    }
    this.#set({ saved: { kind: 'saving' } });
    this.#saving = this.#send(isLast).finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
    // There are changes that were typed meanwhile, or that a merge has brought.
    if (this.#state.saved.kind === 'unsaved') this.#saveLater(isLast ? 0 : SAVE_MS);
    return this.#state.saved.kind === 'saved' && this.#state.clashes.length === 0;
  };

  async #send(isLast: boolean): Promise<void> {
    const { base, document, clashes } = this.#state;
    const sent = withTheirs(document, clashes);
    const result = await this.#deps.save(changedParams(base.document, sent), base, isLast);
    switch (result.kind) {
      case 'saved':
        this.#retryMs = FIRST_RETRY_MS;
        this.#saved(sent, result.base);
        return;
      case 'changed':
        this.#mergeWith(result.base, result.by);
        this.#storeLater();
        // The merged document is sent immediately, because until the server has it two people overwrite each other's
        // changes.
        if (this.#isDirty()) return this.#send(isLast);
        this.#set({ saved: { kind: 'saved', at: Date.now() } });
        return;
      case 'gone':
        return this.markGone();
      case 'rejected':
        this.#set({ saved: result });
        return;
      case 'unreachable':
        this.#set({ saved: result });
        this.#saveLater(this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
    }
  }

  /** The document of the server may differ from the one that was sent, for example in a goal that it normalizes. */
  #saved(sent: Document, base: Base): void {
    const { document } = mergeDocuments(sent, this.#state.document, base.document);
    this.#set({ base, document });
    this.#set({ saved: this.#isDirty() ? { kind: 'unsaved' } : { kind: 'saved', at: Date.now() } });
    this.#storeLater();
  }

  /** Stores all pending changes, because the page is about to be closed, or goes to the background. */
  readonly flush = (): void => {
    if (this.#localTimer !== undefined) {
      clearTimeout(this.#localTimer);
      this.#localTimer = undefined;
      this.#deps.drafts.writeNow(this.#deps.key, this.#copy());
      void this.#deps.drafts.write(this.#deps.key, this.#copy());
    }
    if (['unsaved', 'unreachable'].includes(this.#state.saved.kind)) void this.save(true);
  };

  /** Tries again now, because the connection is back. */
  readonly retryNow = (): void => {
    if (this.#state.saved.kind !== 'unreachable') return;
    this.#retryMs = FIRST_RETRY_MS;
    void this.save();
  };

  /** Ends all timers, after pending changes are stored. */
  readonly stop = (): void => {
    this.#isStopped = true;
    this.flush();
    clearTimeout(this.#saveTimer);
  };
}

function whatChanged(before: Document, after: Document): MergedChange {
  if (before.archived_at !== after.archived_at) return after.archived_at === null ? 'restored' : 'archived';
  if (before.published_at !== after.published_at) return after.published_at === null ? 'unpublished' : 'published';
  return 'changed';
}

function applyCommands(document: Document, commands: readonly Command[]): Document {
  return produce(document, (draft) => {
    for (const command of commands) command.apply(draft);
  });
}

const placeOf = ({ of, field }: Pick<Clash, 'of' | 'field'>) => `${of} ${field}`;
