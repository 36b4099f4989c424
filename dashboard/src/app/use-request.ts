import { useState } from 'react';

/** The state of a form that sends a request: its error, and whether it is being sent. */
export function useRequest<Result>(send: () => Promise<Result>, onDone: (result: Result) => void) {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const submit = async () => {
    if (isPending) return;
    setPending(true);
    setError(undefined);
    try {
      onDone(await send());
    } catch (error) {
      setError(error);
    } finally {
      setPending(false);
    }
  };
  return { submit, error, isPending };
}
