import { useState } from 'react';
import { fieldErrors } from '../api/describe-error.ts';
import { ApiError } from '../api/errors.ts';
import * as text from '../messages/text.ts';
import { keysOf } from '../ui/keys-of.ts';
import { showToast } from '../ui/toast.tsx';
import { changedFields, isSame, type Saved } from './changed-fields.ts';
import { useUnsavedChanges } from './unsaved-changes.ts';

export interface EditFormOptions<Values extends object> {
  /** The record as it was loaded last. */
  saved: Saved<Values>;
  /**
   * Saves the changed fields. `updated_at` is the state that the person has seen: the server rejects the request if
   * that is no longer current.
   */
  send: (changed: Partial<Values> & { updated_at: string }) => Promise<unknown>;
  /** Loads the current record. */
  reload: () => Promise<Saved<Values> | undefined>;
  /** The labels of the fields in the form. */
  labels: { readonly [Name in keyof Values & string]: string };
  onSaved?: () => void;
}

/** A field that somebody else has changed while this person was typing. */
export interface Conflict<Values> {
  name: keyof Values & string;
  before: unknown;
  now: unknown;
}

/**
 * A form for an existing record. Only fields that the person has changed are kept apart from the record, so the other
 * fields show what somebody else changes.
 */
export function useEditForm<Values extends object>(options: EditFormOptions<Values>) {
  const { saved, send, reload, labels, onSaved } = options;
  const [typed, setTyped] = useState<Partial<Values>>({});
  const [seen, setSeen] = useState(saved);
  const [conflicts, setConflicts] = useState<Conflict<Values>[]>();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const names = keysOf(labels);
  const values: Values = { ...saved, ...typed };
  const changed = changedFields(saved, typed);
  const isDirty = Object.keys(changed).length > 0;
  useUnsavedChanges(isDirty);
  const set = <Name extends keyof Values & string>(name: Name, value: Values[Name]) => {
    // The person has seen what was on the page when they began to type.
    if (!isDirty) setSeen(saved);
    setTyped({ ...typed, [name]: value });
  };
  const discard = () => {
    setTyped({});
    setConflicts(undefined);
    setError(undefined);
  };
  /**
   * Returns whether somebody else has changed something. The person has seen that then, so the next attempt to save
   * replaces it.
   */
  const findConflicts = async () => {
    const now = await reload().catch(() => undefined);
    if (!now || now.updated_at === seen.updated_at) return false;
    const others = names.filter((name) => !isSame(now[name], seen[name]));
    setConflicts(others.map((name) => ({ name, before: seen[name], now: now[name] })));
    setSeen(now);
    return true;
  };
  const submit = async () => {
    if (isPending || !isDirty) return;
    setPending(true);
    setError(undefined);
    try {
      await send({ ...changed, updated_at: seen.updated_at });
      await reload();
      const what = names.filter((name) => name in changed).map((name) => labels[name]);
      discard();
      showToast({ title: text.forms.saved(what) });
      onSaved?.();
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === 409 && (await findConflicts());
      if (!isConflict) setError(error);
    } finally {
      setPending(false);
    }
  };
  const wrong = fieldErrors(error, labels);
  return { values, set, isDirty, submit, isPending, error, wrong, conflicts, discard, labels };
}

export type EditForm<Values extends object> = ReturnType<typeof useEditForm<Values>>;
