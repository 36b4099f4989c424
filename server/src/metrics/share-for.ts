/** All calls within this many milliseconds get the same result. A failure is not kept. */
export function shareFor<T>(ms: number, load: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  return () => {
    if (current) return current;
    const loading = load();
    const forget = () => {
      current = undefined;
    };
    loading.then(() => setTimeout(forget, ms).unref(), forget);
    current = loading;
    return loading;
  };
}
