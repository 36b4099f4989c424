import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { upload } from '../../api/api.ts';
import { ApiError } from '../../api/errors.ts';
import { invalidate } from '../../api/nouns.ts';
import { type FileResult, MAX_FILES, problemOfFile, resultsOfMessages, tooManyFiles } from './check-files.ts';

/** A file on the list, with what it would change. */
export interface ChosenFile {
  file: File;
  /** Why the file is not sent. */
  problem?: string | undefined;
  result?: FileResult | undefined;
}

interface Upload {
  chosen: readonly ChosenFile[];
  /** The results of the last upload. */
  done: readonly FileResult[];
  isChecking: boolean;
  isSending: boolean;
  error: unknown;
  warning: string | undefined;
  add(files: readonly File[]): void;
  remove(file: File): void;
  send(): void;
  clear(): void;
}

export const isReady = ({ problem, result }: ChosenFile): boolean =>
  problem === undefined && result !== undefined && result.errors.length === 0;

/** Files are checked when they are chosen, and written when the person wants it. */
export function useUpload(): Upload {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([]);
  const [done, setDone] = useState<readonly FileResult[]>([]);
  const [busy, setBusy] = useState<'checking' | 'sending'>();
  const [error, setError] = useState<unknown>();
  const [warning, setWarning] = useState<string>();
  const latest = useRef(0);
  const start = (what: 'checking' | 'sending') => {
    setBusy(what);
    setError(undefined);
    return ++latest.current;
  };
  const check = async (files: readonly File[]) => {
    const turn = start('checking');
    const listed = files.map((file): ChosenFile => ({ file, problem: problemOfFile(file) }));
    setChosen(listed);
    const sent = listed.filter(({ problem }) => problem === undefined).map(({ file }) => file);
    try {
      const results = sent.length > 0 ? await sendFiles(sent, true) : [];
      if (turn !== latest.current) return;
      setChosen(listed.map((one) => ({ ...one, result: results[sent.indexOf(one.file)] })));
    } catch (failure) {
      if (turn === latest.current) setError(failure);
    }
    if (turn === latest.current) setBusy(undefined);
  };
  const send = async () => {
    const ready = chosen.filter(isReady).map(({ file }) => file);
    if (ready.length === 0) return;
    const turn = start('sending');
    try {
      const results = await sendFiles(ready, false);
      setDone(results);
      setChosen(chosen.filter((one) => !isReady(one)));
      void invalidate(client, 'i18n', 'languages', 'translations', 'kinds');
    } catch (failure) {
      if (turn === latest.current) setError(failure);
    }
    if (turn === latest.current) setBusy(undefined);
  };
  return {
    ...{ chosen, done, error, warning },
    isChecking: busy === 'checking',
    isSending: busy === 'sending',
    add: (files) => {
      if (files.length === 0) return;
      const names = new Set(files.map(({ name }) => name));
      // A file with the same name replaces the one on the list, because the person has corrected it meanwhile.
      const all = [...chosen.map(({ file }) => file).filter(({ name }) => !names.has(name)), ...files];
      setWarning(all.length > MAX_FILES ? tooManyFiles() : undefined);
      setDone([]);
      void check(all.slice(0, MAX_FILES));
    },
    remove: (file) => setChosen(chosen.filter((one) => one.file !== file)),
    send: () => void send(),
    clear: () => {
      latest.current++;
      setBusy(undefined);
      setChosen([]);
      setDone([]);
      setError(undefined);
      setWarning(undefined);
    },
  };
}

/** Sends files, and returns the results in the order of the files. */
async function sendFiles(files: readonly File[], isDryRun: boolean): Promise<FileResult[]> {
  try {
    const params = isDryRun ? { dry_run: true } : {};
    return (await upload('POST /v3/edit/i18n', params, files)).i18ns;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    const results = resultsOfMessages(
      files.map(({ name }) => name),
      error.messages,
    );
    if (results.some(({ errors }) => errors.length === 0)) throw error;
    return results;
  }
}
