import { useState } from 'react';
import { useRequest } from '../app/use-request.ts';
import { openTab } from './open-tab.ts';
import type { ElementPick } from './pick-api.ts';

export class NotSavedError extends Error {}

/**
 * Saves the draft with `save`, creates a pick and opens its page. Keeps the address and the code, which only the response that
 * creates the pick has.
 */
export function useOpening(
  save: () => Promise<boolean>,
  create: () => Promise<ElementPick>,
  onCreated: (pick: ElementPick) => void,
) {
  const [created, setCreated] = useState<{ pick: ElementPick; isBlocked: boolean; at: Date }>();
  const request = useRequest(
    async () => {
      const tab = openTab();
      try {
        // The draft is saved first, so that the page shows it as it is here.
        if (!(await save())) throw new NotSavedError();
        const pick = await create();
        if (pick.address) tab.go(pick.address);
        return { pick, isBlocked: tab.isBlocked };
      } catch (error) {
        tab.close();
        throw error;
      }
    },
    ({ pick, isBlocked }) => {
      setCreated({ pick, isBlocked, at: new Date() });
      onCreated(pick);
    },
  );
  return { ...request, created };
}

export type Opening = ReturnType<typeof useOpening>;
