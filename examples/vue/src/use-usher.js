import usher from 'usher-browser';
import { onMounted, onUnmounted, watch } from 'vue';

const { VITE_USHER_TOKEN, VITE_USHER_URL } = import.meta.env;

/** Loads the script, and identifies the user as long as somebody is signed in. `user` is a ref. */
export function useUsher(user) {
  // `onMounted` does not run on a server that renders pages.
  onMounted(() => {
    usher.init(VITE_USHER_TOKEN, { url: VITE_USHER_URL });
    const update = (id, _previous, onCleanup) => {
      if (!id) return;
      usher.identify(id, { first_name: user.value.firstName });
      onCleanup(() => usher.clear());
    };
    // It watches the ID only: another object for the same user does not hide what Usher shows.
    watch(() => user.value?.id, update, { immediate: true });
  });
}

/** Calls the listener for each event of this name, until the component is unmounted. */
export function useUsherEvent(name, listener) {
  onMounted(() => usher.on(name, listener));
  onUnmounted(() => usher.off(name, listener));
}
