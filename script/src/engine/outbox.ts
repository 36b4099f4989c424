/*
 * What is to be sent, in order. What was answered, or refused for good, is gone; what failed in passing stays in front.
 * Reports of one visit go together; events go one by one.
 */

const MOST_IN_BATCH = 100;
const MOST_KEPT = 500;

export interface Message {
  /** Of the visit. */
  token: string;
  kind: 'report' | 'event';
  item: object;
  /** Told the answer, or undefined when there is none to come: for claims, which nobody is told of otherwise. */
  answered?: (answer: unknown) => void;
}

export interface Outbox {
  add(message: Message): void;
  /** The messages of the next request: none while there are none, or one is on its way. */
  take(): Message[];
  /** What was taken has arrived, with an answer for each, or was refused. */
  done(answers?: readonly unknown[]): void;
  /** What was taken is to be taken again. */
  failed(): void;
  /**
   * Everything by request: the page is going. Also what is on its way, for it may not arrive, and twice is as good as once. A
   * claim would be for nothing.
   */
  drain(): Message[][];
  readonly isEmpty: boolean;
}

export function createOutbox(): Outbox {
  let messages: Message[] = [];
  let taken = 0;
  const giveUp = (some: readonly Message[]) => {
    for (const { answered } of some) answered?.(undefined);
  };
  return {
    add: (message) => {
      messages.push(message);
      // A server that is away for hours must not fill the memory of the page.
      if (messages.length > MOST_KEPT) giveUp(messages.splice(taken, 1));
    },
    take: () => {
      const batch = taken > 0 ? [] : firstBatch(messages);
      taken ||= batch.length;
      return batch;
    },
    done: (answers = []) => {
      const gone = messages.splice(0, taken);
      taken = 0;
      gone.forEach(({ answered }, at) => {
        answered?.(answers[at]);
      });
    },
    failed: () => {
      taken = 0;
    },
    drain: () => {
      const all = messages;
      const left = all.filter(({ answered }) => !answered);
      messages = [];
      taken = 0;
      giveUp(all);
      const batches: Message[][] = [];
      for (let rest = left; rest.length > 0; ) {
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
  const other = messages.findIndex(({ token, kind }) => token !== first?.token || kind !== 'report');
  return messages.slice(0, Math.min(other < 0 ? messages.length : other, MOST_IN_BATCH));
}
