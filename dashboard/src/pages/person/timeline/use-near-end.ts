import { useCallback, useEffect, useRef } from 'react';

/** Calls back when an element is less than a screen away, again and again while `isOn`. */
export function useNearEnd(onNear: () => void, isOn: boolean): (element: HTMLElement | null) => void {
  const callback = useRef(onNear);
  callback.current = onNear;
  const element = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (!isOn || !element.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) callback.current();
      },
      { rootMargin: '0px 0px 600px 0px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isOn]);
  return useCallback((next) => {
    element.current = next;
  }, []);
}
