import { useState } from 'react';
import { fieldErrors } from '../api/describe-error.ts';
import { ApiError } from '../api/errors.ts';
import * as text from '../messages/text.ts';
import { keysOf } from '../ui/keys-of.ts';
import { showToast } from '../ui/toast.tsx';
import { changedFields, isSame, type Saved } from './changed-fields.ts';
import { useUnsavedChanges } from './unsaved-changes.ts';

export interface EditFormOptions<Values extends object> {
  /** What the server has, as it was loaded last. */
  saved: Saved<Values>;
  /** Saves the changed fields. `updated_at` is what the person has seen: the server rejects it if that is no longer current. */
  send: (changed: Partial<Values> & { updated_at: string }) => Promise<unknown>;
  /** Loads what the server has now. */
  reload: () => Promise<Saved<Values> | undefined>;
  /** The fields that the form has, in the words of the form. */
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
 * A form for something that exists. Only fields that were typed into are kept apart from what the server has, so a value that somebody
 * else changes shows up in the others.
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
    // What was on the page when the typing began is what the person has seen.
    if (!isDirty) setSeen(saved);
    setTyped({ ...typed, [name]: value });
  };
  const discard = () => {
    setTyped({});
    setConflicts(undefined);
    setError(undefined);
  };
  /** Returns whether somebody else has changed something. The next attempt to save then replaces it knowingly. */
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
