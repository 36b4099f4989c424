import { useCallback, useState } from 'react';

/** The width of an element, which can be far less than that of the window. It is undefined until the element is in the page. */
export function useWidth(): [
  ref: (element: HTMLElement | null) => (() => void) | undefined,
  width: number | undefined,
] {
  const [width, setWidth] = useState<number>();
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** This is the width of `@xl` in class names. */
const NARROW = 576;

export function isNarrow(width: number | undefined): boolean {
  return width !== undefined && width < NARROW;
}
