import { type DeliveryPosition, placeDelivery } from '@usher/domain';

/** One line of the list after the request. */
interface PlannedEntry {
  id: string;
  isNew: boolean;
  isDropped: boolean;
}

export type PlannedList = { entries: PlannedEntry[] } | { problem: 'rejected' | 'noRoom' };

const NEW_ID = 'new';

/** The list with a new Delivery, as the server will make it. */
export function planList(
  list: readonly string[],
  position: DeliveryPosition,
  globalLimit: number,
  atLimit: 'error' | 'drop',
): PlannedList {
  const placed = placeDelivery(list, { id: NEW_ID, position, globalLimit, atLimit });
  if ('problem' in placed) return { problem: placed.status === 409 ? 'rejected' : 'noRoom' };
  const entry = (isDropped: boolean) => (id: string) => ({ id, isNew: id === NEW_ID, isDropped });
  return { entries: [...placed.list.map(entry(false)), ...placed.dropped.map(entry(true))] };
}
