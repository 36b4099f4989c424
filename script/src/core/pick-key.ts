/**
 * Returns the key of a pick from the address of the page, and removes it there before the address is sent or shown anywhere. The
 * snippet has done so already, unless it is an older one.
 */
export function takePickKey(): string | undefined {
  const [, page = '', key, fragment] = /^([^#]*)#usher-pick=([\w-]+)&?(.*)/.exec(location.href) ?? [];
  if (key) history.replaceState(history.state, '', fragment ? `${page}#${fragment}` : page);
  return key;
}
