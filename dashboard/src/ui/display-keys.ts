const isMac = () => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

const macNames: Record<string, string> = { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵', escape: 'Esc' };
const otherNames: Record<string, string> = { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter', escape: 'Esc' };

/** The names of the keys in `mod+shift+k`, or in the sequence `g h`. */
export function displayKeys(keys: string, mac = isMac()): string[] {
  const names = mac ? macNames : otherNames;
  return keys.split(/[+ ]/).map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}
