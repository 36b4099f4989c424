import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';

const REPORT_MS = 20_000;

interface OpenEditors {
  /** The other people who have this Experience open in the editor. */
  editors: { id: string; name: string }[];
  /** Whether this person has the Experience open in another tab of this browser. */
  isInOtherTab: boolean;
}

/** Finds who else has this Experience open in the editor, and reports that this person has it open. */
export function useOpenEditors(id: string, isEditing: boolean): OpenEditors {
  const [lockName] = useState(() => `${lockPrefix(id)}${Math.random()}`);
  const { data } = useQuery({
    queryKey: ['open-editors', id],
    queryFn: () =>
      sendInOrder(async () => {
        const { editors } = await api('POST /v3/edit/experiences/{id}/editors', { id });
        return { editors, isInOtherTab: await isOpenElsewhere(id, lockName) };
      }),
    enabled: isEditing,
    refetchInterval: REPORT_MS,
    staleTime: 0,
    retry: false,
  });
  useEffect(() => {
    if (!isEditing) return undefined;
    const release = holdLock(lockName);
    return () => {
      release();
      void sendInOrder(async () => {
        if (await isOpenElsewhere(id, lockName)) return;
        await api('POST /v3/edit/experiences/{id}/editors', { id, open: false });
      }).catch(() => undefined);
    };
  }, [id, isEditing, lockName]);
  return data ?? { editors: [], isInOtherTab: false };
}

let lastRequest: Promise<unknown> = Promise.resolve();

/**
 * Sends a request after the previous one has ended: a report that arrives after "left" would say that the editor is
 * open again.
 */
function sendInOrder<Result>(send: () => Promise<Result>): Promise<Result> {
  const response = lastRequest.then(send);
  lastRequest = response.catch(() => undefined);
  return response;
}

/*
 * Each tab holds a lock while its editor is open, and the browser releases it when the tab closes. Only pages from https or
 * localhost have locks; on others, a tab does not know of the other tabs.
 */
const lockPrefix = (id: string) => `editor ${id} `;

function holdLock(name: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(name, () => released);
  return release;
}

async function isOpenElsewhere(id: string, ownName: string): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name !== ownName && name?.startsWith(lockPrefix(id)));
}
