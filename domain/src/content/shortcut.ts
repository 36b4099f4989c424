/*
 * Keyboard shortcuts of launchers, such as `Alt+H`: one or two modifier keys, and a letter or digit. A letter alone would fire when
 * users of speech input dictate, and many combinations with Ctrl belong to browsers.
 */

const MODIFIERS = ['Ctrl', 'Alt', 'Shift'];

/** What browsers do with combinations, on at least one system. */
const browserShortcuts: Readonly<Record<string, string>> = {
  'Ctrl+': 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  'Ctrl+Shift+': 'ABCDEGHIJKMNOPQRSTUVWYZ0',
  'Alt+': 'DEF0123456789',
};
const example = 'give a letter or digit with Alt, or with Alt and Shift, such as Alt+H';

/** Writes the modifiers in one order: "shift + alt + h" is "Alt+Shift+H". Undefined if it is no shortcut. */
export function normalizeShortcut(shortcut: string): string | undefined {
  const names = shortcut.split('+').map((name) => name.trim().toLowerCase());
  const key = names.pop() ?? '';
  const modifiers = MODIFIERS.filter((modifier) => names.includes(modifier.toLowerCase()));
  if (!/^[a-z0-9]$/.test(key) || modifiers.length !== names.length) return undefined;
  return [...modifiers, key.toUpperCase()].join('+');
}

/** Finds out why a launcher cannot have this shortcut. */
export function findShortcutProblem(shortcut: string): string | undefined {
  const normalized = normalizeShortcut(shortcut);
  if (normalized === undefined) return `"${shortcut}" is no shortcut: ${example}`;
  const prefix = normalized.slice(0, -1);
  if (prefix === '' || prefix === 'Shift+') return `${normalized} types a character: ${example}`;
  if (prefix.startsWith('Ctrl+Alt+')) return `${normalized} types a character on some keyboards: ${example}`;
  if (browserShortcuts[prefix]?.includes(normalized.slice(-1)))
    return `${normalized} belongs to browsers: ${example}, or choose another letter`;
  return undefined;
}
