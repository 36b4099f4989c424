export type Theme = 'system' | 'light' | 'dark';

const KEY = 'usher-theme';

/** The theme that this browser has saved. */
export function readTheme(): Theme {
  const saved = readSaved();
  return saved === 'light' || saved === 'dark' ? saved : 'system';
}

function readSaved(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function saveTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The storage can be blocked. The theme then lasts until the page is left.
  }
}

export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
