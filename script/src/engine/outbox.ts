/*
 * The messages to send, in order. A message leaves the outbox when the server has accepted or rejected it. After a failure that
 * may pass, it stays in front. Reports of one visit are sent together, events one by one.
 */

const MAX_BATCH = 100;
const MAX_MESSAGES = 500;

export interface Message {
  /** The token of the visit. */
  token: string;
  kind: 'report' | 'event';
  item: object;
  /** Receives the response, or undefined if there will be none. Only claims of Deliveries need it. */
  onResponse?: (response: unknown) => void;
}

export interface Outbox {
  add(message: Message): void;
  /** Returns the messages for the next request; none if the outbox is empty or a request is in flight. */
  take(): Message[];
  /**
   * Removes the taken messages, because the server has accepted or rejected them. `responses` has one entry for each
   * message.
   */
  done(responses?: readonly unknown[]): void;
  /** Keeps the taken messages, because they must be sent again. */
  failed(): void;
  /**
   * Removes everything, grouped by request, because the page closes. It includes messages in flight, since they may not arrive,
   * and the server ignores duplicates. It leaves out claims: the page could no longer show the Delivery.
   */
  drain(): Message[][];
  readonly isEmpty: boolean;
}

export function createOutbox(): Outbox {
  let messages: Message[] = [];
  let taken = 0;
  const giveUp = (lost: readonly Message[]) => {
    for (const { onResponse } of lost) onResponse?.(undefined);
  };
  return {
    add: (message) => {
      messages.push(message);
      // A server that is unavailable for hours must not fill the memory of the page.
      if (messages.length > MAX_MESSAGES) giveUp(messages.splice(taken, 1));
    },
    take: () => {
      const batch = taken > 0 ? [] : firstBatch(messages);
      taken ||= batch.length;
      return batch;
    },
    done: (responses = []) => {
      const finished = messages.splice(0, taken);
      taken = 0;
      finished.forEach(({ onResponse }, index) => {
        onResponse?.(responses[index]);
      });
    },
    failed: () => {
      taken = 0;
    },
    drain: () => {
      const all = messages;
      messages = [];
      taken = 0;
      giveUp(all);
      const batches: Message[][] = [];
      for (let rest = all.filter(({ onResponse }) => !onResponse); rest.length > 0; ) {
        const batch = firstBatch(rest);
        batches.push(batch);
        rest = rest.slice(batch.length);
      }
      return batches;
    },
    get isEmpty() {
      return messages.length === 0;
    },
  };
}

function firstBatch(messages: readonly Message[]): Message[] {
  const [first] = messages;
  if (first?.kind === 'event') return [first];
  const end = messages.findIndex(({ token, kind }) => token !== first?.token || kind !== 'report');
  return messages.slice(0, Math.min(end < 0 ? messages.length : end, MAX_BATCH));
}
