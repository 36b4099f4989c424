import { type KeyboardEvent, useRef, useState } from 'react';

/** One tab stop for all points of a chart. Arrow keys, Home and End move between them. */
export function usePoints(count: number) {
  const elements = useRef<(HTMLElement | null)[]>([]);
  const [active, setActive] = useState<number>();
  const [stop, setStop] = useState(count - 1);
  const clamp = (at: number) => Math.max(0, Math.min(count - 1, at));
  const current = clamp(stop);
  const onKeyDown = (event: KeyboardEvent) => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
    const steps: Record<string, number> = {
      ArrowLeft: forward === 'ArrowLeft' ? current + 1 : current - 1,
      ArrowRight: forward === 'ArrowRight' ? current + 1 : current - 1,
      Home: 0,
      End: count - 1,
    };
    const next = steps[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    elements.current[clamp(next)]?.focus();
  };
  return {
    active: active !== undefined && active < count ? active : undefined,
    onKeyDown,
    show: (at: number) => setActive(at),
    leave: () => setActive(undefined),
    focus: (at: number) => {
      setStop(at);
      setActive(at);
    },
    tabIndexOf: (at: number) => (at === current ? 0 : -1),
    refOf: (at: number) => (element: HTMLElement | null) => {
      elements.current[at] = element;
    },
  };
}
