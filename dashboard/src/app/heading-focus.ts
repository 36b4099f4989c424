let isRequested = false;

/** Requests that the heading of the next page takes the focus, after a navigation. */
export function requestHeadingFocus(): void {
  isRequested = true;
}

/** Returns whether the heading should take the focus, once for each navigation. */
export function takeFocusRequest(): boolean {
  const wasRequested = isRequested;
  isRequested = false;
  return wasRequested;
}
