import { useSyncExternalStore } from 'react';
import { CanceledError } from './errors.ts';

interface OpenPrompt<Reason> {
  reason: Reason;
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

/** A question that a request asks before it can be repeated. A dialog of the app shows it. */
class Prompt<Reason> {
  readonly #listeners = new Set<() => void>();
  #open: OpenPrompt<Reason> | undefined;

  /** Opens the dialog. Requests that fail at the same time share it, and all of them are repeated afterwards. */
  ask(reason: Reason): Promise<void> {
    if (this.#open) return this.#open.promise;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#open = { reason, promise, resolve, reject };
    this.#notify();
    return promise;
  }

  /** Replaces the question, while the same requests wait. */
  change(reason: Reason): void {
    if (this.#open) this.#open = { ...this.#open, reason };
    this.#notify();
  }

  /** Closes the dialog and repeats the requests. */
  finish(): void {
    this.#close()?.resolve();
  }

  /** Closes the dialog and makes the requests fail. Typed values stay in the page. */
  cancel(): void {
    this.#close()?.reject(new CanceledError());
  }

  /** Why the dialog is open, or undefined if it is not. */
  useReason(): Reason | undefined {
    return useSyncExternalStore(this.#subscribe, () => this.#open?.reason);
  }

  #close(): OpenPrompt<Reason> | undefined {
    const closed = this.#open;
    this.#open = undefined;
    this.#notify();
    return closed;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  readonly #subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };
}

/** `ended`: the session has ended. `confirm`: the session is valid, but the action needs the password again. */
export const passwordPrompt = new Prompt<'ended' | 'confirm'>();

/** Asks when the session is of another account, or another person, than this tab shows. */
export const accountPrompt = new Prompt<'switched'>();
