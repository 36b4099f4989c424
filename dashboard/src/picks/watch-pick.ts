import { ApiError, CanceledError } from '../api/errors.ts';
import { type ElementPick, eventsOf, loadPick } from './pick-api.ts';

const POLL_MS = 2_000;

/** The part of the browser's `EventSource` that is used here. */
export interface Stream {
  addEventListener(name: 'pick' | 'error', listener: (event: { data?: unknown }) => void): void;
  close(): void;
}

interface Sources {
  openStream(id: string): Stream;
  load(id: string): Promise<ElementPick>;
  /** Calls the listener when the person returns to this tab. Returns a function that stops it. */
  onReturn(listener: () => void): () => void;
}

const browserSources: Sources = {
  openStream: (id) => new EventSource(eventsOf(id)),
  load: loadPick,
  onReturn: (listener) => {
    const onChange = () => document.visibilityState === 'visible' && listener();
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  },
};

/** Whether the pick is over, so that the page sends nothing more. */
export const isOver = ({ state }: ElementPick) => state === 'ended' || state === 'expired';

/**
 * Calls back with each state of a pick, and with undefined when it does not exist anymore. The server sends the states
 * as events. While the stream is silent or broken, for example behind a proxy that buffers it, this polls every 2
 * seconds. Returns a function that stops it.
 */
export function watchPick(
  id: string,
  onPick: (pick: ElementPick | undefined) => void,
  sources: Sources = browserSources,
): () => void {
  let isStopped = false;
  /** Whether the stream has sent something, and nothing has gone wrong since. */
  let isLive = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stream = sources.openStream(id);
  const stopReturn = sources.onReturn(() => void poll());
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    stream.close();
    stopReturn();
  };
  const report = (pick: ElementPick | undefined) => {
    if (isStopped) return;
    if (!pick || isOver(pick)) stop();
    onPick(pick);
  };
  const pollLater = () => {
    clearTimeout(timer);
    if (!isStopped && !isLive) timer = setTimeout(poll, POLL_MS);
  };
  const poll = async () => {
    clearTimeout(timer);
    try {
      report(await sources.load(id));
      pollLater();
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) report(undefined);
      // The person continued in another account, which does not have this pick.
      else if (error instanceof CanceledError) stop();
      else pollLater();
    }
  };
  stream.addEventListener('pick', ({ data }) => {
    const pick = parsePick(data);
    if (!pick) return;
    isLive = true;
    clearTimeout(timer);
    report(pick);
  });
  // The browser reconnects automatically, unless the server rejected the connection.
  stream.addEventListener('error', () => {
    isLive = false;
    pollLater();
  });
  pollLater();
  return stop;
}

/** The event has the same JSON as the response to a request. */
function parsePick(data: unknown): ElementPick | undefined {
  try {
    const parsed = JSON.parse(String(data));
    return parsed?.pick ?? undefined;
  } catch {
    return undefined;
  }
}
