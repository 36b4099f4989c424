import { useSyncExternalStore } from 'react';

const query = '(width < 40rem)';

function subscribe(onChange: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener('change', onChange);
  return () => list.removeEventListener('change', onChange);
}

/** Whether the window is as narrow as a phone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
