/** Shift is not named with characters such as `?`, because keyboards differ in how these are typed. */
export function keyName({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const name = key.length === 1 ? key.toLowerCase() : key.toLowerCase().replace('arrow', '');
  return `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${name}`;
}
