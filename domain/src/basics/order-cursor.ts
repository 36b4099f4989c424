/** Where a page of an ordered list ends: the values of its last row by which the list is ordered, and its ID. */
export interface OrderCursor {
  order: string;
  values: readonly string[];
  id: string;
}

const cursorPattern = /^([a-z_]+):([^:]*):([0-9a-f]{24})$/;

export function encodeOrderCursor({ order, values, id }: OrderCursor): string {
  return `${order}:${values.map((value) => encodeURIComponent(value.toWellFormed())).join(',')}:${id}`;
}

/** Returns undefined if the text is no cursor of an ordered list. */
export function decodeOrderCursor(text: string): OrderCursor | undefined {
  const [, order, values = '', id] = cursorPattern.exec(text) ?? [];
  if (!order || !id) return undefined;
  try {
    return { order, values: values.split(',').map((value) => decodeURIComponent(value)), id };
  } catch {
    return undefined;
  }
}
