import { useQueryClient } from '@tanstack/react-query';
import type { UnusedKind } from '@usher/domain';
import { api } from '../../api/api.ts';
import { type Changed, invalidate } from '../../api/nouns.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import * as text from '../../messages/text.ts';
import { showToast } from '../../ui/toast.tsx';
import type { UnusedEntry } from './unused-list.tsx';

const texts = text.cleanUp;
export type DeletableKind = keyof typeof texts.confirm.what;

/** Experiences are archived and Properties are hidden, which can be undone. */
export function isDeletable(kind: UnusedKind): kind is DeletableKind {
  return kind in texts.confirm.what;
}

type Rows = readonly UnusedEntry[];

/** The API archives at most this many Experiences together. */
const MAX_BATCH = 500;

/** The actions for unused records: archive or hide them, with an undo, or delete them. */
export function useCleanUp(kind: UnusedKind) {
  const client = useQueryClient();
  const reload = () =>
    invalidate(client, 'unused', kind, ...(kind === 'experiences' ? (['kinds', 'live'] as const) : []));
  const putAway = async (rows: Rows) => {
    const away = rows.slice(0, MAX_BATCH);
    try {
      await setAway(kind, away, true);
      showUndo({
        title: kind === 'properties' ? texts.hidden(away.length) : texts.archived(away.length),
        about: away.flatMap(({ id }): Changed[] => (kind === 'experiences' ? [`kinds/${id}`] : [`${kind}/${id}`])),
        undo: async () => {
          await setAway(kind, away, false);
          showToast({ title: texts.restored(kind, away.length) });
          await reload();
        },
      });
    } catch (error) {
      showError(error);
    }
    await reload();
  };
  const remove = async (rows: Rows) => {
    const failures: unknown[] = [];
    for (const { id } of rows) await removeOne(kind as DeletableKind, id).catch((error) => failures.push(error));
    if (failures.length < rows.length) showToast({ title: texts.deleted(kind, rows.length - failures.length) });
    // Something began to use it meanwhile: the error says what.
    if (failures.length > 0) showError(failures[0]);
    await reload();
  };
  return { putAway, remove };
}

async function setAway(kind: UnusedKind, rows: Rows, isAway: boolean): Promise<void> {
  if (kind === 'properties') {
    for (const { id } of rows) await api('PATCH /v3/edit/properties/{id}', { id, hidden: isAway });
    return;
  }
  const archived_at = isAway ? new Date().toISOString() : null;
  await api('PATCH /v3/edit/experiences/batch', { ids: rows.map(({ id }) => id), archived_at });
}

function removeOne(kind: DeletableKind, id: string): Promise<unknown> {
  switch (kind) {
    case 'segments':
      return api('DELETE /v3/edit/segments/{id}', { id });
    case 'tags':
      return api('DELETE /v3/edit/tags/{id}', { id });
    case 'goals':
      return api('DELETE /v3/edit/goals/{id}', { id });
    case 'themes':
      return api('DELETE /v3/edit/themes/{id}', { id });
    case 'pictures':
      return api('DELETE /v3/edit/pictures/{id}', { id });
  }
}
