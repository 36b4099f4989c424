import { createOutbox, type Message } from '../engine/outbox.ts';
import { canRetry, retryDelay } from '../engine/retry.ts';
import { safely } from '../page/safely.ts';
import type { Store } from '../page/store.ts';
import type { Transport } from './transport.ts';

const BATCH_DELAY_MS = 300;

/** Sends reports and events, in batches and in order, and retries until the server has them. */
export interface SendQueue {
  /** Sends a message soon, together with others that follow; immediately if somebody waits for the response. */
  add(message: Message): void;
  /** Sends all messages now. Resolves when the server has them, or a request failed. */
  flush(): Promise<void>;
  /**
   * Sends all messages by beacon when the page closes. Messages that could not be sent are stored for the next page.
   */
  close(): void;
  /** Takes over the messages that the previous page stored. */
  restore(): void;
  /** Removes all messages without sending them. */
  drop(): void;
}

/** `onStart` is called when the server says that an Experience has waited for an event that was sent. */
export function createSendQueue(transport: Transport, store: Store, onStart: () => void): SendQueue {
  const outbox = createOutbox();
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;

  const flushSoon = (delay = BATCH_DELAY_MS) => {
    timer ??= setTimeout(flush, delay);
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const sendAll = async () => {
    for (let batch = outbox.take(); batch.length > 0; batch = outbox.take()) {
      const { status, body } = await transport.post(...requestFor(batch));
      if (canRetry(status)) {
        outbox.failed();
        if (!outbox.isEmpty) flushSoon(retryDelay(++failures, Math.random()));
        return;
      }
      failures = 0;
      if (body?.starts) onStart();
      safely(() => outbox.done(body?.items as unknown[] | undefined));
    }
  };

  const restore = () => {
    const unsent = store.get('unsent');
    if (!unsent) return;
    store.set('unsent');
    (JSON.parse(unsent) as Message[]).forEach(outbox.add);
    flushSoon();
  };

  return {
    flush,
    restore,
    drop: outbox.drain,
    add: (message) => {
      outbox.add(message);
      if (message.onResponse) void flush();
      else flushSoon();
    },
    close: () => {
      // A beacon does not report that it was lost, so it is not used while requests fail.
      const unsent = outbox
        .drain()
        .filter((batch) => failures > 0 || !navigator.onLine || !transport.beacon(...requestFor(batch)));
      if (unsent[0]) store.set('unsent', JSON.stringify(unsent.flat()));
    },
  };
}

function requestFor(batch: readonly Message[]): [path: string, body: object] {
  const visit_token = batch[0]?.token;
  if (batch[0]?.kind === 'event') return ['/v3/observe/events', { visit_token, ...batch[0].item }];
  return ['/v3/observe/interactions', { visit_token, items: batch.map(({ item }) => item) }];
}
