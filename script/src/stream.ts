import type { Config } from './config.ts';
import type { Events } from './core/events.ts';
import type { Visits } from './core/visits.ts';
import { retryDelay } from './engine/retry.ts';
import { listen } from './page/listen.ts';
import { registerModule } from './register-module.ts';

interface Dependencies {
  config: Config;
  events: Events;
  visits: Visits;
}

/** Learns of events that the page waits for. Call it after each visit whose response has a ticket. */
export type FollowEvents = (deps: Dependencies) => void;

/** A proxy that collects the whole response passes nothing on in this time. */
const FIRST_MS = 10_000;
/** The server sends a ticket every 20 seconds. */
const SILENT_MS = 65_000;
/** How often the page sends a visit while it has no stream. */
const MIN_POLL_MS = 30_000;
/** Another tab holds the stream if this one does not get it in this time. */
const LOCK_MS = 500;

let ticket: string | undefined;
let name: string | undefined;
let stop: (() => void) | undefined;
let renewed: (() => void) | undefined;

const followEvents: FollowEvents = (deps) => {
  if (name === undefined) install(deps);
  update(deps);
};

function install(deps: Dependencies): void {
  const { events, visits } = deps;
  const { clear } = visits;
  visits.clear = () => {
    close();
    clear();
  };
  events.on('after:profile', () => update(deps));
  listen(window, 'pagehide', close);
}

function close(): void {
  stop?.();
  stop = undefined;
  ticket = undefined;
  name = '';
}

/** Does what the response of the last visit says. */
function update(deps: Dependencies): void {
  const { current } = deps.visits;
  const next = current?.response.visit.stream;
  if (!current || !next) {
    close();
    return;
  }
  const nextName = `usher:${deps.config.token}:${current.profile.id}`;
  if (nextName !== name) close();
  name = nextName;
  ticket = next;
  renewed?.();
  stop ??= start(deps, nextName);
}

/** One visible tab of the browser holds the stream, and lets the others know. Hidden tabs have none. */
function start({ config, visits }: Dependencies, name: string): () => void {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
  let abort: AbortController | undefined;
  let hasMissed = false;
  const ask = () => visits.schedule();

  const connect = (isBack: boolean) => {
    if (document.hidden) return;
    abort = new AbortController();
    const { signal } = abort;
    let isHolding = false;
    const hold = () => {
      isHolding = true;
      return follow(signal);
    };
    // Old browsers, and pages without HTTPS, have no locks: there, each tab has a stream.
    if (navigator.locks) navigator.locks.request(name, { signal }, hold).catch(() => {});
    else void hold();
    if (hasMissed) ask();
    // What has come while this tab was hidden is known to the tab that holds the stream.
    else if (isBack) setTimeout(() => isHolding || signal.aborted || ask(), LOCK_MS);
    hasMissed = false;
  };

  const follow = async (signal: AbortSignal) => {
    for (let failures = 0; !signal.aborted; ) {
      const text = ticket;
      ticket = undefined;
      const status = text ? await read(text, signal) : 403;
      if (signal.aborted) return;
      failures = status === 200 ? 0 : failures + 1;
      // After a stream that has ended, the next one begins with the last ticket of the server.
      const isSoon = failures < 2 && (ticket || status === 403);
      await pause(isSoon ? retryDelay(1, Math.random()) : MIN_POLL_MS * (1 + Math.random()), signal);
      if (signal.aborted || (ticket && isSoon)) continue;
      const response = new Promise<void>((resolve) => {
        renewed = resolve;
        signal.addEventListener('abort', () => resolve());
      });
      ask();
      await response;
    }
  };

  /** Reads a stream to its end. Returns 200 if it has worked, else the status of the response; 0 if there was none. */
  const read = async (text: string, signal: AbortSignal): Promise<number> => {
    const inner = new AbortController();
    const cancel = () => inner.abort();
    signal.addEventListener('abort', cancel);
    let timer = setTimeout(cancel, FIRST_MS);
    let status = 0;
    try {
      const url = `${config.url}/v3/observe/stream?ticket=${encodeURIComponent(text)}`;
      const response = await fetch(url, { credentials: 'omit', cache: 'no-store', signal: inner.signal });
      if (!response.ok || !response.body) return response.status;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ''; ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        const parts = (rest + value).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) {
          const [, event, data] = /^event: (\w+)\ndata: (.*)/.exec(part) ?? [];
          status = 200;
          if (event === 'over') close();
          else ticket = data;
          if (event === 'wake') {
            channel?.postMessage(0);
            ask();
          }
        }
        clearTimeout(timer);
        timer = setTimeout(cancel, SILENT_MS);
      }
    } catch {
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
    return status;
  };

  const stopListening = listen(document, 'visibilitychange', () => {
    abort?.abort();
    connect(true);
  });
  if (channel)
    channel.onmessage = () => {
      if (document.hidden) hasMissed = true;
      else ask();
    };
  connect(false);
  return () => {
    abort?.abort();
    channel?.close();
    stopListening();
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

registerModule('stream', followEvents);
