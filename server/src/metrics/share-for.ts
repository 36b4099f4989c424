/** Everyone who calls the function within so many milliseconds gets the same result. One that fails is not kept. */
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
