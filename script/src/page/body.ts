/** Waits until the page has a body. A script in the head may run before that. */
export function waitForBody(): Promise<void> | undefined {
  if (document.body) return undefined;
  return new Promise((resolve) => {
    const check: MutationCallback = (_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      resolve();
    };
    new MutationObserver(check).observe(document.documentElement, { childList: true });
  });
}
