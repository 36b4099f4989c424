let isRequested = false;

/** After a navigation: the heading of the next page takes the focus. */
export function requestHeadingFocus(): void {
  isRequested = true;
}

/** Returns whether the focus belongs to the heading, once for each navigation. */
export function takeFocusRequest(): boolean {
  const wasRequested = isRequested;
  isRequested = false;
  return wasRequested;
}
