const MAX_HOOK_MS = 5000;

/**
 * Waits for the promises that the hooks of a page have returned, but not for long. An error in a hook does not stop the
 * tour.
 */
export function waitForHooks(returned: unknown[]): Promise<void> | undefined {
  if (returned.length === 0) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_HOOK_MS);
    void Promise.allSettled(returned).then((results) => {
      for (const result of results) if ('reason' in result) console.debug('usher', result.reason);
      clearTimeout(timer);
      resolve();
    });
  });
}
