import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { HEADING_HEIGHT } from './table-look.ts';
import { moveRow, visibleRows } from './visible-rows.ts';

interface Place {
  top: number;
  current: number;
}

const places = new Map<string, Place>();

interface LongTableOptions {
  total: number;
  rowHeight: number;
  placeKey: string | undefined;
  onRange: (first: number, last: number) => void;
  onOpen: (index: number) => void;
}

/** Computes which rows are rendered and which of them has the focus, and handles keys. */
export function useLongTable({ total, rowHeight, placeKey, onRange, onOpen }: LongTableOptions) {
  const grid = useRef<HTMLDivElement>(null);
  const kept = placeKey === undefined ? undefined : places.get(placeKey);
  const [chosen, setChosen] = useState(kept?.current ?? 0);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const wantsFocus = useRef(false);
  const isRestored = useRef(false);
  const current = Math.min(chosen, Math.max(total - 1, 0));

  const measure = () => {
    const { scrollTop = 0, clientHeight = 0 } = grid.current ?? {};
    const next = visibleRows({ top: scrollTop, height: clientHeight - HEADING_HEIGHT, rowHeight, total });
    if (next.first !== range.first || next.last !== range.last) setRange(next);
    onRange(next.first, next.last);
  };
  const remember = (change: Partial<Place>) => {
    if (placeKey === undefined) return;
    places.set(placeKey, { top: 0, current, ...places.get(placeKey), ...change });
  };

  useLayoutEffect(() => {
    if (!isRestored.current && grid.current) {
      isRestored.current = true;
      if (kept) grid.current.scrollTop = kept.top;
    }
    measure();
    if (wantsFocus.current && grid.current) wantsFocus.current = !focusRow(grid.current, current);
  });

  const moveTo = (index: number) => {
    setChosen(index);
    remember({ current: index });
    const box = grid.current;
    if (!box) return;
    // A row that is not rendered yet gets the focus when it is.
    wantsFocus.current = !focusRow(box, index);
    const top = index * rowHeight;
    const bottom = top + rowHeight + HEADING_HEIGHT - box.clientHeight;
    if (box.scrollTop > top) box.scrollTop = top;
    else if (box.scrollTop < bottom) box.scrollTop = bottom;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isRow = event.target instanceof Element && event.target.getAttribute('role') === 'row';
    if (event.key === 'Enter' && isRow) {
      event.preventDefault();
      return onOpen(current);
    }
    const page = Math.floor(((grid.current?.clientHeight ?? 0) - HEADING_HEIGHT) / rowHeight);
    const next = moveRow(event.key, { current, total, page });
    if (next === undefined) return;
    event.preventDefault();
    moveTo(next);
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (target === grid.current) return moveTo(current);
    const index = target.getAttribute('data-index');
    if (index !== null && Number(index) !== current) {
      setChosen(Number(index));
      remember({ current: Number(index) });
    }
  };
  const onScroll = () => {
    measure();
    remember({ top: grid.current?.scrollTop ?? 0 });
  };

  const visible = [...Array(Math.max(range.last - range.first, 0)).keys()].map((offset) => range.first + offset);
  // The row with the focus stays rendered, because the focus would be lost with it.
  if (total > 0 && !visible.includes(current)) visible.push(current);
  return { visible, current, gridProps: { ref: grid, tabIndex: -1, onKeyDown, onFocus, onScroll } };
}

function focusRow(grid: HTMLElement, index: number): boolean {
  const row = grid.querySelector<HTMLElement>(`[data-index="${index}"]`);
  row?.focus({ preventScroll: true });
  return row !== null;
}
