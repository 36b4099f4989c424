/** Waits until the page has a body. A script in the head may run before that. */
export function waitForBody(): Promise<void> | undefined {
  if (document.body) return undefined;
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.body) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.documentElement, { childList: true });
  });
}
