import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { currentConnection, onConnectionChange } from '../api/connection.ts';
import { useSession } from '../api/session.ts';
import { type Base, browserDrafts } from './drafts.ts';
import { type EditorState, EditorStore } from './editor-store.ts';
import { copyKey, takeCopies } from './local-copies.ts';
import { type SaveTarget, saveDraft } from './save-draft.ts';
import { claimTab } from './tab.ts';

const drafts = browserDrafts();
const tab = claimTab();

interface StoreInput<Shown> {
  /** The ID of the record. */
  id: string;
  /** The record as the server has shown it last. */
  shown: Shown;
  /** Whether the record was deleted. */
  isGone: boolean;
  isReadOnly: boolean;
  /** How the record is saved. */
  target: Omit<SaveTarget<Shown>, 'userId'>;
}

/**
 * Opens the document of a record, or continues with the local copy of this browser. Undefined until the local copy has
 * been read.
 */
export function useEditorStore<Shown extends object>(
  input: StoreInput<Shown>,
): { store: EditorStore; state: EditorState } | undefined {
  const { id, shown, isGone, isReadOnly } = input;
  const { user } = useSession();
  const [store, setStore] = useState<EditorStore>();
  const current = useRef(input);
  current.current = input;
  useEffect(() => {
    let made: EditorStore | undefined;
    let isOver = false;
    const prefix = `${user.id} ${id}`;
    const base = (): Base => current.current.target.baseOf(current.current.shown);
    const open = async () => {
      const own = await tab;
      const take = () => takeCopies(drafts, own, prefix, base()).catch(() => undefined);
      const copy = isReadOnly ? undefined : await take();
      if (isOver) return;
      const { target } = current.current;
      made = new EditorStore(base(), copy, {
        key: copyKey(prefix, own.id),
        drafts,
        save: (params, base, isLast) => saveDraft({ ...target, userId: user.id }, params, base, isLast),
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
  }, [id, user.id, isReadOnly]);
  useEffect(() => store?.receive(current.current.target.baseOf(shown)), [store, shown]);
  useEffect(() => {
    if (isGone) store?.markGone();
  }, [store, isGone]);
  const state = useSyncExternalStore(store?.subscribe ?? subscribeToNothing, () => store?.getState());
  return store && state && { store, state };
}

const subscribeToNothing = () => () => undefined;

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
