import { useEffect, useState } from 'react';
import { type ElementPick, endPick } from './pick-api.ts';
import { isOver, watchPick } from './watch-pick.ts';

/** A pick as it is now. */
export interface CurrentPick {
  id: string | null;
  /** The pick; undefined until it is loaded. */
  pick: ElementPick | undefined;
  /** Why the pick is over, if it is over without a result. */
  over: 'ended' | 'expired' | 'gone' | undefined;
  /** Continues with a new pick. The previous pick ends. */
  start: (pick: ElementPick) => void;
  /** Ends the pick, also on the page, and drops its result. */
  end: () => void;
  forget: () => void;
}

/** Follows a pick, which may have begun before the page was loaded. */
export function usePick([id, remember]: [id: string | null, remember: (id: string | null) => void]): CurrentPick {
  const [seen, setSeen] = useState<{ id: string; pick: ElementPick | undefined }>();
  useEffect(() => (id === null ? undefined : watchPick(id, (pick) => setSeen({ id, pick }))), [id]);
  const isSeen = seen?.id === id;
  const pick = isSeen ? seen?.pick : undefined;
  const finish = () => {
    // If the server cannot be reached, the pick expires automatically.
    if (id !== null && !(pick && isOver(pick))) endPick(id).catch(() => undefined);
  };
  return {
    id,
    pick,
    over: isSeen && id !== null ? whyOver(pick) : undefined,
    start: (created) => {
      finish();
      setSeen({ id: created.id, pick: created });
      remember(created.id);
    },
    end: () => {
      finish();
      remember(null);
    },
    forget: () => remember(null),
  };
}

function whyOver(pick: ElementPick | undefined): CurrentPick['over'] {
  if (!pick) return 'gone';
  if (pick.result !== null || pick.looks !== null) return undefined;
  return pick.state === 'ended' || pick.state === 'expired' ? pick.state : undefined;
}
