interface Column {
  width?: string | number | null | undefined;
  minWidth?: number;
  isSecondary?: boolean;
}

export const MIN_WIDTH = 96;

/** Leaves out columns that are not needed, the last one first, until the others have the width that they need. */
export function fitColumns<One extends Column>(columns: readonly One[], available: number | undefined): One[] {
  const fitting = [...columns];
  if (available === undefined) return fitting;
  const total = () => fitting.reduce((sum, column) => sum + neededWidth(column), 0);
  while (total() > available) {
    const last = fitting.findLastIndex(({ isSecondary }) => isSecondary === true);
    if (last < 0) break;
    fitting.splice(last, 1);
  }
  return fitting;
}

function neededWidth({ width, minWidth = MIN_WIDTH }: Column): number {
  return typeof width === 'number' ? width : minWidth;
}
