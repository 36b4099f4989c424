import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, type ResponseOf } from '../../../api/api.ts';
import { ApiError } from '../../../api/errors.ts';
import { invalidate } from '../../../api/nouns.ts';
import { query } from '../../../api/queries.ts';
import { showError } from '../../../app/show-error.ts';
import { showUndo } from '../../../app/show-undo.ts';
import { applyMove } from '../../../lists/plan-moves.ts';
import * as text from '../../../messages/text.ts';
import type { RowMove } from '../../../ui/row-order.tsx';
import { showToast } from '../../../ui/toast.tsx';

const texts = text.queue.pending;

export type Pending = ResponseOf<'GET /v3/edit/profiles/{id}/deliveries'>;
export type PendingDelivery = Pending['deliveries'][number];

const pendingQuery = (id: string) => query('GET /v3/edit/profiles/{id}/deliveries', { id });

/** The pending Deliveries of a person in their order, and how many there may be. */
export function usePending(id: string) {
  return useQuery(pendingQuery(id));
}

export function nameOfDelivery({ experience }: Pick<PendingDelivery, 'experience'>): string {
  return experience?.name ?? text.deliveries.deletedExperience;
}

/** Refetches all data about Deliveries, also what the person would see next. */
export function reloadDeliveries(client: QueryClient): Promise<void> {
  return invalidate(client, 'deliveries', 'profiles');
}

/** Whether the Delivery was shown, canceled or dropped meanwhile, so that the list on the page is outdated. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && !error.isForOtherUser && [404, 409].includes(error.status);
}

export function sayGone(): void {
  showToast({ kind: 'info', title: texts.changed.title, description: texts.changed.triggered });
}

function handleError(client: QueryClient, error: unknown): void {
  void reloadDeliveries(client);
  if (isStale(error)) sayGone();
  else showError(error);
}

/** Moves a Delivery in the list. The list shows a move immediately; moves are sent to the server one after the other. */
export function useMoveDelivery(personId: string, rows: readonly PendingDelivery[]) {
  const client = useQueryClient();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const { queryKey } = pendingQuery(personId);
  const send = (id: string, place: number) => {
    const sent = last.current.then(() => api('PATCH /v3/edit/deliveries/{id}', { id, delivery_ids_position: place }));
    last.current = sent.catch(() => {});
    return sent.finally(() => reloadDeliveries(client));
  };
  return async (move: RowMove) => {
    const [id = ''] = move.ids;
    const before = rows.map((row) => row.id);
    const after = applyMove(before, { ...move, ids: [id] });
    const moved = rows.find((row) => row.id === id);
    if (!moved || after.join() === before.join()) return;
    await client.cancelQueries({ queryKey });
    client.setQueryData<Pending>(queryKey, (data) => data && arrange(data, after));
    try {
      await send(id, after.indexOf(id));
    } catch (error) {
      return handleError(client, error);
    }
    const now = client.getQueryData<Pending>(queryKey)?.deliveries.map((row) => row.id);
    // A place is a number: if other Deliveries were created or shown meanwhile, the Delivery is not where the person
    // put it.
    if (now && now.join() !== after.join())
      return void showToast({ kind: 'info', title: texts.changed.title, description: texts.changed.text });
    showUndo({
      title: texts.moved(nameOfDelivery(moved), after.indexOf(id) + 1),
      about: [`deliveries/${id}`],
      undo: () => send(id, before.indexOf(id)),
    });
  };
}

function arrange(data: Pending, order: readonly string[]): Pending {
  return { ...data, deliveries: order.flatMap((id) => data.deliveries.find((one) => one.id === id) ?? []) };
}

/** Whether a canceled Delivery could be created again: its Experience must be live, and the list must have room. */
export function canRestore({ experience }: PendingDelivery, { deliveries, delivery_ids_limit }: Pending): boolean {
  return experience?.is_live === true && deliveries.length <= delivery_ids_limit;
}

/** Cancels a Delivery. If it can be undone, the same content is created again at the same place. */
export function useCancelDelivery(pending: Pending | undefined) {
  const client = useQueryClient();
  return async (delivery: PendingDelivery) => {
    const { id, model_id, model_kind, profile_id, options, from, until } = delivery;
    const { use_segmentation, once, skip_triggers, skip_url_match } = delivery;
    const place = pending?.deliveries.findIndex((one) => one.id === id) ?? 0;
    const name = nameOfDelivery(delivery);
    try {
      await api('DELETE /v3/edit/deliveries/{id}', { id });
    } catch (error) {
      return handleError(client, error);
    }
    await reloadDeliveries(client);
    if (!pending || !canRestore(delivery, pending)) return void showToast({ title: texts.canceled(name) });
    showUndo({
      title: texts.canceled(name),
      about: [`deliveries/${id}`],
      undo: async () => {
        try {
          // The idempotency key stays used, so a repeated request of the backend still creates no Delivery.
          await api('POST /v3/edit/deliveries', {
            ...{ model_id, model_kind, profile_id, from, until },
            options: options as Record<string, unknown> | null,
            ...{ use_segmentation, once, skip_triggers, skip_url_match },
            delivery_ids_position: place,
          });
          showToast({ title: texts.restored(name) });
        } finally {
          await reloadDeliveries(client);
        }
      },
    });
  };
}
