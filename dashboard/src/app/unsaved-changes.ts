import { useEffect, useId, useSyncExternalStore } from 'react';
import type { AroundNavHandler } from 'wouter';

/** The forms with something typed that is not saved yet. */
const dirty = new Set<string>();
const listeners = new Set<() => void>();

/** What waits for the person to choose between staying and leaving. */
let waiting: ((leaves: boolean) => void) | undefined;
/** The address that has the unsaved changes, for the button "back" of the browser. */
let href = '';

/** While something typed is not saved, the person is asked before another page replaces it. */
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

/** Every navigation within the dashboard goes through this. One within the same page loses nothing. */
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

/** The answer of the person. */
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

/** Called once, before the router listens: it must not learn of a navigation that the person may not want. */
export function guardBackButton(): void {
  addEventListener('popstate', onPopState);
}

/** The browser has gone back already: we go to the page again, and back if the person wants that. */
function onPopState(event: PopStateEvent): void {
  if (dirty.size === 0 || new URL(href).pathname === location.pathname) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', href);
  void confirmLeaving().then((leaves) => {
    if (leaves) withoutAsking(() => history.back());
  });
}
