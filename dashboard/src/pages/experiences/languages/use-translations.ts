import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { currentConnection, onConnectionChange } from '../../../api/connection.ts';
import { invalidate } from '../../../api/nouns.ts';
import { useSession } from '../../../api/session.ts';
import { useUnsavedChanges } from '../../../app/unsaved-changes.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { translationsQuery } from '../../../editor/preview/use-preview-translations.ts';
import { keepEdits, readKept } from './kept-edits.ts';
import type { ExperienceTexts } from './texts.ts';
import { TranslationStore, type TranslationsState } from './translation-store.ts';
import { writeTranslations } from './write-translations.ts';

/** How often the page checks whether somebody else has translated something. */
const LOOK_AGAIN_MS = 10_000;

export interface TranslationsEditor {
  store: TranslationStore;
  state: TranslationsState;
}

/** The translations of an Experience, with unsaved edits. Undefined while they are loading. */
export function useTranslations(experience: ShownExperience): {
  editor: TranslationsEditor | undefined;
  error: Error | null;
} {
  const { id, kind, updated_at } = experience;
  const { user } = useSession();
  const client = useQueryClient();
  const options = translationsQuery(kind, id);
  const { data, error, refetch } = useQuery({
    ...options,
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnWindowFocus: 'always',
  });
  const shown = data?.translations;
  const [store, setStore] = useState<TranslationStore>();
  const hasShown = shown !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store lives as long as the Experience is open
  useEffect(() => {
    if (!shown) return;
    const made = new TranslationStore(shown, readKept(user.id, id), {
      keep: (edits) => keepEdits(user.id, id, edits),
      write: async (...write) => {
        const result = await writeTranslations({ kind, id }, ...write);
        if ('shown' in result) await take(result.shown);
        return result;
      },
    });
    // Responses to earlier requests are older than this one, so they are canceled.
    const take = async (translations: ExperienceTexts) => {
      await client.cancelQueries({ queryKey: options.queryKey });
      client.setQueryData(options.queryKey, { translations });
      // Translations count as unpublished changes of the Experience too.
      void invalidate(client, 'i18n', 'translations', 'unpublished', 'experiences', 'live');
    };
    setStore(made);
    const stopListening = listenToPage(made);
    return () => {
      stopListening();
      made.stop();
      setStore(undefined);
    };
  }, [hasShown, id, kind, user.id]);
  useEffect(() => {
    if (shown) store?.receive(shown);
  }, [store, shown]);
  // A changed source makes translations outdated.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded again when the draft has changed
  useEffect(() => void refetch(), [updated_at, refetch]);
  const state = useSyncExternalStore(store?.subscribe ?? subscribeToNothing, () => store?.getState());
  useUnsavedChanges(state !== undefined && state.saved.kind === 'unreachable' && state.edits.size > 0);
  return { editor: store && state && { store, state }, error };
}

const subscribeToNothing = () => () => undefined;

/** Saves pending texts when the page is closed or goes to the background. */
function listenToPage(store: TranslationStore): () => void {
  const onHide = () => document.visibilityState === 'hidden' && store.flush();
  document.addEventListener('visibilitychange', onHide);
  addEventListener('pagehide', store.flush);
  const stopConnection = onConnectionChange(() => currentConnection() === 'ok' && store.retryNow());
  return () => {
    document.removeEventListener('visibilitychange', onHide);
    removeEventListener('pagehide', store.flush);
    stopConnection();
  };
}
