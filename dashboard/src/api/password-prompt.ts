import { useSyncExternalStore } from 'react';
import { CanceledError } from './errors.ts';

/** `ended`: the session is over. `confirm`: the action needs the password although the session is not. */
export type PasswordReason = 'ended' | 'confirm';

interface Prompt {
  reason: PasswordReason;
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

const listeners = new Set<() => void>();
let prompt: Prompt | undefined;

/** Asks for the password. Requests that fail at the same time share one dialog, and all of them are repeated afterwards. */
export function promptForPassword(reason: PasswordReason): Promise<void> {
  if (prompt) return prompt.promise;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  prompt = { reason, promise, resolve, reject };
  notify();
  return promise;
}

/** The session has ended while the dialog was open: it must start a new one. */
export function changePromptToEnded(): void {
  if (prompt) prompt = { ...prompt, reason: 'ended' };
  notify();
}

/** The password was right. */
export function finishPrompt(): void {
  const done = prompt;
  prompt = undefined;
  done?.resolve();
  notify();
}

export function cancelPrompt(): void {
  const canceled = prompt;
  prompt = undefined;
  canceled?.reject(new CanceledError());
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function usePasswordReason(): PasswordReason | undefined {
  return useSyncExternalStore(subscribe, () => prompt?.reason);
}
