/* This file has no schemas, because the dashboard loads it to show what the list will be. */

/** The position in the list of pending Deliveries: 0 is the first. */
export type DeliveryPosition = 'first' | 'last' | number;

export interface Placement {
  id: string;
  position?: DeliveryPosition | undefined;
  /** The limit of this request. */
  limit?: number | undefined;
  /** The limit of the account. */
  globalLimit: number;
  atLimit: 'error' | 'drop';
}

/** The list with the new Delivery and the dropped ones, or the problem. */
export type PlacementResult = { list: string[]; dropped: string[] } | { status: 409 | 422; problem: string };

/** With this many pending Deliveries, a request must give the position of another one. */
const MIN_PENDING_FOR_POSITION = 2;

/**
 * Puts a Delivery into the list of pending ones. A full list drops Deliveries from its end, but never the new one.
 */
export function placeDelivery(
  list: readonly string[],
  { id, position, limit, globalLimit, atLimit }: Placement,
): PlacementResult {
  const most = limit ?? globalLimit;
  if (!Number.isInteger(most) || most < 1 || most > globalLimit)
    return { status: 422, problem: `\`delivery_ids_limit\` must be a whole number from 1 to ${globalLimit}` };
  if (position === undefined && list.length >= MIN_PENDING_FOR_POSITION && most > 1)
    return {
      status: 422,
      problem: `\`delivery_ids_position\` is required, as the profile has ${list.length} pending Deliveries: give \`first\`, \`last\` or an index from 0`,
    };
  const index = toIndex(position ?? 'first', list.length);
  if (index === undefined)
    return { status: 422, problem: '`delivery_ids_position` must be `first`, `last` or an index from 0' };
  const full = list.length >= most;
  if (full && atLimit === 'error')
    return {
      status: 409,
      problem: `The profile has ${list.length} pending Deliveries, and ${most} are the most: use \`delivery_ids_at_limit=drop\`, or remove Deliveries first`,
    };
  if (full && index >= most)
    return {
      status: 422,
      problem:
        'This `delivery_ids_position` is where Deliveries are dropped from: give `first`, or an index further in front',
    };
  const placed = [...list.slice(0, index), id, ...list.slice(index)];
  return { list: placed.slice(0, most), dropped: placed.slice(most) };
}

function toIndex(position: DeliveryPosition, length: number): number | undefined {
  if (position === 'first') return 0;
  if (position === 'last') return length;
  return Number.isInteger(position) && position >= 0 ? Math.min(position, length) : undefined;
}
