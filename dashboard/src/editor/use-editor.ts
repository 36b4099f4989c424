import { useQueryClient } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain';
import { useRef } from 'react';
import { api, type ParamsOf, sendLast } from '../api/api.ts';
import { query } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import type { Command } from './commands.ts';
import { type Document, type ShownExperience, shownIn } from './document.ts';
import type { EditorState, OpenClash, SaveState } from './editor-store.ts';
import { type Problem, useProblems } from './problems.ts';
import { baseOf } from './save-draft.ts';
import { useEditorStore } from './use-editor-store.ts';

type PatchParams = ParamsOf<'PATCH /v3/edit/{kind}/{id}'>;

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

/** The editor of an Experience. Undefined until the local copy of this browser has been read. */
export function useEditor(experience: ShownExperience, isGone: boolean): Editor | undefined {
  const { can } = useSession();
  const isReadOnly = !can('edit');
  const client = useQueryClient();
  const openPart = useRef<string>(undefined);
  const { id, kind } = experience;
  const opened = useEditorStore({
    ...{ id, shown: experience, isGone, isReadOnly },
    target: {
      baseOf,
      send: async (params, isLast) => {
        const all = { ...params, kind: pathOfKind(kind), id } as PatchParams;
        return shownIn(await (isLast ? sendLast : api)('PATCH /v3/edit/{kind}/{id}', all), kind);
      },
      onShown: (shown) =>
        client.setQueryData(query('GET /v3/edit/experiences/{id}', { id }).queryKey, { experience: shown }),
    },
  });
  const problems = useProblems(opened?.state.document);
  if (!opened) return undefined;
  const { store, state } = opened;
  const { document, history, saved, clashes, merged, moved } = state;
  return {
    id,
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

const doNothing = () => undefined;
