import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { currentConnection, onConnectionChange } from '../api/connection.ts';
import { query } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import type { Command } from './commands.ts';
import type { Document, ShownExperience } from './document.ts';
import { browserDrafts } from './drafts.ts';
import { type EditorState, EditorStore, type OpenClash, type SaveState } from './editor-store.ts';
import { copyKey, takeCopies } from './local-copies.ts';
import { type Problem, useProblems } from './problems.ts';
import { baseOf, saveDraft } from './save-draft.ts';
import { claimTab } from './tab.ts';

/** What the tabs of an Experience use to show and change its document. */
export interface Editor {
  /** The ID of the Experience. */
  id: string;
  /** The draft, with changes that are not saved yet. */
  document: Document;
  /** Whether the document cannot be changed here, because the person's role does not allow it. */
  isReadOnly: boolean;
  /** Changes the document. Several commands are undone together. */
  change(...commands: Command[]): void;
  undo(): void;
  redo(): void;
  canUndo: boolean;
  canRedo: boolean;
  saved: SaveState;
  /** Saves pending changes. Resolves to whether the server has everything, which publishing needs. */
  save(): Promise<boolean>;
  /** Takes over the response of another request, such as one that publishes. */
  receive(experience: ShownExperience): void;
  /** Shows a field of the tab "Content", and puts the focus there. */
  show(of: string, field?: string): void;
  /** The problems that keep the draft from being published, found by the same rules as on the server. */
  problems: readonly Problem[];
  /** Fields that somebody else has changed too. Each stays here until the person has chosen a value. */
  clashes: readonly OpenClash[];
  resolve(clash: Pick<OpenClash, 'of' | 'field'>, value: unknown): void;
  merged: EditorState['merged'];
  moved: EditorState['moved'];
  /** The step or item that the tab "Content" shows, or showed last. */
  openPart: { current: string | undefined };
}

const drafts = browserDrafts();
const tab = claimTab();

/**
 * Opens the document, or continues with the local copy of this browser. Undefined until the local copy has been read.
 */
export function useEditor(experience: ShownExperience, isGone: boolean): Editor | undefined {
  const { can } = useSession();
  const isReadOnly = !can('edit');
  const store = useEditorStore(experience, isReadOnly);
  const openPart = useRef<string>(undefined);
  useEffect(() => store?.receive(baseOf(experience)), [store, experience]);
  useEffect(() => {
    if (isGone) store?.markGone();
  }, [store, isGone]);
  const state = useSyncExternalStore(store?.subscribe ?? subscribeToNothing, () => store?.getState());
  const problems = useProblems(state?.document);
  if (!store || !state) return undefined;
  const { document, history, saved, clashes, merged, moved } = state;
  return {
    id: experience.id,
    document,
    isReadOnly,
    change: isReadOnly ? doNothing : store.change,
    undo: store.undo,
    redo: store.redo,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    saved,
    save: () => store.save(),
    receive: (shown) => store.receiveOwn(baseOf(shown)),
    show: store.show,
    problems,
    clashes,
    resolve: store.resolve,
    merged,
    moved,
    openPart,
  };
}

const subscribeToNothing = () => () => undefined;
const doNothing = () => undefined;

function useEditorStore(experience: ShownExperience, isReadOnly: boolean): EditorStore | undefined {
  const { user } = useSession();
  const client = useQueryClient();
  const [store, setStore] = useState<EditorStore>();
  const current = useRef(experience);
  current.current = experience;
  const { id, kind } = experience;
  useEffect(() => {
    let made: EditorStore | undefined;
    let isOver = false;
    const prefix = `${user.id} ${id}`;
    const onShown = (shown: ShownExperience) =>
      client.setQueryData(query('GET /v3/edit/experiences/{id}', { id }).queryKey, { experience: shown });
    const open = async () => {
      const own = await tab;
      const take = () => takeCopies(drafts, own, prefix, baseOf(current.current)).catch(() => undefined);
      const copy = isReadOnly ? undefined : await take();
      if (isOver) return;
      made = new EditorStore(baseOf(current.current), copy, {
        key: copyKey(prefix, own.id),
        drafts,
        save: (params, base, isLast) => saveDraft({ kind, id, userId: user.id, onShown }, params, base, isLast),
      });
      setStore(made);
    };
    void open();
    const stopListening = listenToPage(() => made);
    return () => {
      isOver = true;
      stopListening();
      made?.stop();
      setStore(undefined);
    };
  }, [id, kind, user.id, isReadOnly, client]);
  return store;
}

/** Saves pending changes when the page is closed or goes to the background. */
function listenToPage(store: () => EditorStore | undefined): () => void {
  const onHide = () => document.visibilityState === 'hidden' && store()?.flush();
  const onLeave = () => store()?.flush();
  document.addEventListener('visibilitychange', onHide);
  addEventListener('pagehide', onLeave);
  addEventListener('beforeunload', onLeave);
  const stopConnection = onConnectionChange(() => currentConnection() === 'ok' && store()?.retryNow());
  return () => {
    document.removeEventListener('visibilitychange', onHide);
    removeEventListener('pagehide', onLeave);
    removeEventListener('beforeunload', onLeave);
    stopConnection();
  };
}
