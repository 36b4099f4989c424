import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { ListedExperience } from '@usher/domain';
import { useRef } from 'react';
import { api } from '../../../api/api.ts';
import { invalidate } from '../../../api/nouns.ts';
import { showError } from '../../../app/show-error.ts';
import { showUndo } from '../../../app/show-undo.ts';
import { nameExperiences } from '../../../experiences/name-experiences.ts';
import { applyMove, type Move, planMoves, planUndo } from '../../../lists/plan-moves.ts';
import * as text from '../../../messages/text.ts';
import type { RowMove } from '../../../ui/row-order.tsx';
import { aboutExperiences } from './use-list-actions.ts';

interface ListPage {
  experiences: ListedExperience[];
}

/** Moves Experiences in the order of priority. The list shows a move immediately; moves are sent to the server one after the other. */
export function useMove(queryKey: readonly unknown[], rows: readonly ListedExperience[]) {
  const client = useQueryClient();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const send = (moves: readonly Move[]) => {
    const run = async () => {
      for (const move of moves) await api('PATCH /v3/edit/experiences/order', move);
    };
    const sent = last.current.then(run);
    last.current = sent.catch(() => {});
    return sent.finally(() => invalidate(client, 'experiences'));
  };
  return async (move: RowMove) => {
    const before = rows.map(({ id }) => id);
    const moved = rows.filter(({ id }) => move.ids.includes(id));
    const after = applyMove(before, move);
    if (after.join() === before.join()) return;
    await client.cancelQueries({ queryKey });
    client.setQueryData<InfiniteData<ListPage>>(queryKey, (data) => data && arrange(data, after));
    try {
      await send(planMoves(move));
      const place = after.indexOf(move.ids[0] ?? '') + 1;
      showUndo({
        title: text.experiences.done.moved(nameExperiences(moved), place),
        about: aboutExperiences(moved),
        undo: () => send(planUndo(before, move.ids)),
      });
    } catch (error) {
      showError(error);
    }
  };
}

/** The same pages with their rows in another order. */
function arrange(data: InfiniteData<ListPage>, order: readonly string[]): InfiniteData<ListPage> {
  const byId = new Map(data.pages.flatMap((page) => page.experiences).map((one) => [one.id, one]));
  const rows = order.flatMap((id) => byId.get(id) ?? []);
  let start = 0;
  const pages = data.pages.map((page) => {
    const experiences = rows.slice(start, start + page.experiences.length);
    start += page.experiences.length;
    return { ...page, experiences };
  });
  return { ...data, pages };
}
