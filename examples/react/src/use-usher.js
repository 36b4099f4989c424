import { useEffect } from 'react';
import usher from 'usher-browser';

const { VITE_USHER_TOKEN, VITE_USHER_URL } = import.meta.env;

/** Loads the script, and identifies the user as long as somebody is signed in. */
export function useUsher(user) {
  useEffect(() => {
    usher.init(VITE_USHER_TOKEN, { url: VITE_USHER_URL });
  }, []);

  const { id, firstName } = user ?? {};
  useEffect(() => {
    if (id) usher.identify(id, { first_name: firstName });
  }, [id, firstName]);

  // It depends on the ID only: another object for the same user does not hide what Usher shows.
  useEffect(() => {
    if (id) return () => usher.clear();
  }, [id]);
}

/** Calls the listener for each event of this name. Wrap the listener in `useCallback`, or define it outside. */
export function useUsherEvent(name, listener) {
  useEffect(() => {
    usher.on(name, listener);
    return () => usher.off(name, listener);
  }, [name, listener]);
}
