import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'usher-theme';
const listeners = new Set<() => void>();

function readTheme(): Theme {
  const saved = readSaved();
  return saved === 'light' || saved === 'dark' ? saved : 'system';
}

/** Shows the theme that this browser has saved. Called before the first paint. */
export function applyTheme(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The storage can be blocked. The theme then lasts until the page is left.
  }
  document.documentElement.dataset.theme = theme;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  for (const listener of listeners) listener();
}

function readSaved(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab has changed it.
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
