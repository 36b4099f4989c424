import { useEffect, useId, useSyncExternalStore } from 'react';
import type { AroundNavHandler } from 'wouter';

/** The forms with unsaved changes. */
const dirty = new Set<string>();
const listeners = new Set<() => void>();

/** Is called when the person has chosen between staying and leaving. */
let waiting: ((leaves: boolean) => void) | undefined;
/** The address of the page with the unsaved changes, to return to it after the button "back" of the browser. */
let href = '';

/** While there are unsaved changes, the person must confirm before another page opens. */
export function useUnsavedChanges(isDirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    if (dirty.size === 0) startGuard();
    dirty.add(id);
    return () => {
      dirty.delete(id);
      if (dirty.size === 0) stopGuard();
    };
  }, [isDirty, id]);
}

/** Resolves to whether the page may be left: immediately if nothing would be lost, otherwise as the person chooses. */
export function confirmLeaving(): Promise<boolean> {
  if (dirty.size === 0) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  waiting?.(false);
  waiting = resolve;
  notify();
  return promise;
}

/**
 * Every navigation within the dashboard goes through this. A navigation within the same page loses nothing, so it is
 * not guarded.
 */
export const guardNavigation: AroundNavHandler = (navigate, to, options) => {
  const isSamePage = new URL(to, location.href).pathname === location.pathname;
  if (dirty.size === 0 || isSamePage) navigate(to, options);
  else
    void confirmLeaving().then((leaves) => {
      if (leaves) withoutAsking(() => navigate(to, options));
    });
};

/** Leaves the page without a question after saving: the form is not rendered again yet, and still counts as unsaved. */
export function withoutAsking(leave: () => void): void {
  dirty.clear();
  stopGuard();
  leave();
}

/** Passes on the choice of the person. */
export function answerLeaving(leaves: boolean): void {
  const answer = waiting;
  waiting = undefined;
  notify();
  answer?.(leaves);
}

export function useIsAskedToLeave(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting !== undefined,
  );
}

function notify(): void {
  for (const listener of listeners) listener();
}

function startGuard(): void {
  href = location.href;
  addEventListener('beforeunload', onUnload);
  for (const name of ['pushState', 'replaceState']) addEventListener(name, onOwnNavigation);
}

function stopGuard(): void {
  removeEventListener('beforeunload', onUnload);
  for (const name of ['pushState', 'replaceState']) removeEventListener(name, onOwnNavigation);
}

/** The browser asks in its own words. */
function onUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function onOwnNavigation(): void {
  href = location.href;
}

/** Is called once, before the router listens: the router must not get a navigation that the person may not want. */
export function guardBackButton(): void {
  addEventListener('popstate', onPopState);
}

/** The browser has gone back already. This goes to the page again, and back if the person chooses to leave. */
function onPopState(event: PopStateEvent): void {
  if (dirty.size === 0 || new URL(href).pathname === location.pathname) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', href);
  void confirmLeaving().then((leaves) => {
    if (leaves) withoutAsking(() => history.back());
  });
}
