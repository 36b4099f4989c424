import { type DragEvent, useState } from 'react';

/** Moves a part by dragging it between two others. */
export function usePartDrag(parts: readonly { id: string }[], move: (id: string, to: number) => void) {
  const [dragged, setDragged] = useState<string>();
  /** The part before which the dragged one would be put. */
  const [target, setTarget] = useState<number>();
  const dragEnd = () => {
    setDragged(undefined);
    setTarget(undefined);
  };
  const dragOver = (event: DragEvent, index: number) => {
    if (dragged === undefined) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setTarget(event.clientY > top + height / 2 ? index + 1 : index);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (dragged !== undefined && target !== undefined) {
      const from = parts.findIndex(({ id }) => id === dragged);
      move(dragged, target > from ? target - 1 : target);
    }
    dragEnd();
  };
  const placeOf = (index: number) => {
    if (target === index) return 'before';
    return target === parts.length && index === parts.length - 1 ? 'after' : undefined;
  };
  return {
    dragged,
    drop,
    leave: () => setTarget(undefined),
    placeOf,
    actions: { dragStart: setDragged, dragOver, dragEnd },
  };
}
