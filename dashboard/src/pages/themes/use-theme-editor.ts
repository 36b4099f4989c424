import { useQueryClient } from '@tanstack/react-query';
import { listThemeProblems, sortTheme, type Theme, type ThemeDocument } from '@usher/domain';
import { useDeferredValue, useMemo } from 'react';
import { api, type ParamsOf, sendLast } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { setFields } from '../../editor/commands.ts';
import type { Document } from '../../editor/document.ts';
import type { Base } from '../../editor/drafts.ts';
import type { Editor } from '../../editor/use-editor.ts';
import { useEditorStore } from '../../editor/use-editor-store.ts';

export type ThemeProblem = ReturnType<typeof listThemeProblems>[number];

/** What the page of a theme uses to show and change its draft. */
export interface ThemeEditor extends Omit<Editor, 'change' | 'receive' | 'show' | 'problems' | 'openPart'> {
  /** The draft, with changes that are not saved yet. */
  theme: ThemeDocument;
  set(values: Partial<ThemeDocument>): void;
  receive(theme: Theme): void;
  /** What keeps the draft from being published, by the rules of the server. */
  problems: readonly ThemeProblem[];
}

/** For the editor, a theme is a document without parts. */
function baseOf(theme: Theme): Base {
  const document = { ...sortTheme(theme), kind: 'theme', steps: [] };
  return { document: document as unknown as Document, updated_at: theme.updated_at };
}

/** The editor of a theme. Undefined until the local copy of this browser has been read. */
export function useThemeEditor(theme: Theme, isGone: boolean): ThemeEditor | undefined {
  const { can } = useSession();
  const isReadOnly = !can('edit');
  const client = useQueryClient();
  const { id } = theme;
  const opened = useEditorStore({
    ...{ id, shown: theme, isGone, isReadOnly },
    target: {
      baseOf,
      send: async (params, isLast) => {
        const all = { ...params, id } as ParamsOf<'PATCH /v3/edit/themes/{id}'>;
        return (await (isLast ? sendLast : api)('PATCH /v3/edit/themes/{id}', all)).theme as unknown as Theme;
      },
      onShown: (shown) => {
        const { queryKey } = query('GET /v3/edit/themes/{id}', { id });
        client.setQueryData(queryKey, { theme: shown as never });
        // The list and the history are not up to date anymore.
        const isOther = ({ queryKey: [noun, operation] }: { queryKey: readonly unknown[] }) =>
          noun === queryKey[0] && operation !== queryKey[1];
        void client.invalidateQueries({ predicate: isOther });
      },
    },
  });
  const draft = opened?.state.document as unknown as ThemeDocument | undefined;
  const deferred = useDeferredValue(draft);
  const problems = useMemo(() => (deferred ? listThemeProblems(deferred) : []), [deferred]);
  if (!opened || !draft) return undefined;
  const { store, state } = opened;
  const { document, history, saved, clashes, merged, moved } = state;
  return {
    ...{ id, document, theme: draft, isReadOnly, saved, clashes, merged, moved, problems },
    set: (values) => !isReadOnly && store.change(setFields(values as never)),
    undo: store.undo,
    redo: store.redo,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    save: () => store.save(),
    receive: (shown) => store.receiveOwn(baseOf(shown)),
    resolve: store.resolve,
  };
}
