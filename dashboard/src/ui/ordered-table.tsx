import { type RowMove, useRowOrder } from './row-order.tsx';
import { Table, type TableProps } from './table.tsx';

interface OrderedTableProps<Item extends { id: string }> extends TableProps<Item> {
  rows: readonly Item[];
  onMove: (move: RowMove) => void;
}

/** A table whose rows can be moved. Dragging is much code, so pages load this when they need it. */
export function OrderedTable<Item extends { id: string }>({ onMove, ...props }: OrderedTableProps<Item>) {
  const order = useRowOrder({ rows: props.rows, nameOf: props.nameOf, onMove });
  return <Table {...props} order={order} />;
}
