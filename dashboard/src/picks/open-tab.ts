/** A tab that has opened, or was blocked. */
export interface NewTab {
  isBlocked: boolean;
  go(address: string): void;
  close(): void;
}

/**
 * Opens an empty tab during the click, because browsers block tabs that open after a request. Its address is set later.
 * The page in the tab gets no reference to this one.
 */
export function openTab(): NewTab {
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  return {
    isBlocked: tab === null,
    go: (address) => tab?.location.replace(address),
    close: () => tab?.close(),
  };
}
