import { useSyncExternalStore } from 'react';
import { applyTheme, readTheme, saveTheme, type Theme } from './saved-theme.ts';

export type { Theme };

const listeners = new Set<() => void>();

export function setTheme(theme: Theme): void {
  saveTheme(theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Is called when another tab has changed the theme.
  const onStorage = () => {
    applyTheme();
    listener();
  };
  addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme);
}

/** Whether the dashboard is light or dark now. */
export function useScheme(): 'light' | 'dark' {
  const theme = useTheme();
  const system = useSyncExternalStore(subscribeSystem, () => (darkQuery().matches ? 'dark' : 'light'));
  return theme === 'system' ? system : theme;
}

const darkQuery = () => matchMedia('(prefers-color-scheme: dark)');

function subscribeSystem(listener: () => void): () => void {
  const query = darkQuery();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
