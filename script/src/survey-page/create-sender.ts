import { canRetry, retryDelay } from '../engine/retry.ts';
import type { ReportItem } from '../wire.ts';

/** What the page says itself, in the language of the user. */
export interface PageTexts {
  thanks: string;
  close: string;
  answered: string;
  closed: string;
  link: string;
  retry: string;
}

interface Sender {
  /** Sends a report, as soon as there is an answer. */
  add(item: ReportItem): void;
  /** Sends the rest when the page closes. */
  close(): void;
}

interface SenderDependencies {
  texts: PageTexts;
  link: string | undefined;
  page: string;
  /** The `page` that this browser has begun to answer with. */
  storedPage: string | undefined;
  main: HTMLElement;
  /** Removes the survey, and says why. */
  stop(...lines: string[]): void;
  /** Remembers that this browser has answered. */
  keep(page: string | undefined, isDone: boolean): void;
}

const MAX_ITEMS = 50;

/** Sends reports to the address of the page, in order, until the server has them. */
export function createSender({ texts, link, page, storedPage, main, stop, keep }: SenderDependencies): Sender {
  const items: ReportItem[] = [];
  let token = storedPage ?? page;
  let isAnswered = false;
  let isSending = false;
  let failures = 0;
  let notice: HTMLElement | undefined;
  const { pathname } = location;
  const language = new URLSearchParams(location.search).get('lang') ?? undefined;
  const bodyOf = (batch: readonly ReportItem[]) => JSON.stringify({ page: token, link, language, items: batch });

  const post = async (body: string): Promise<number> => {
    try {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(pathname, { method: 'POST', body, headers, credentials: 'omit', keepalive: true })).status;
    } catch {
      return 0;
    }
  };

  const warn = (text: string | undefined) => {
    if (!text) notice?.remove();
    else if (!notice?.isConnected) {
      notice = Object.assign(document.createElement('p'), { className: 'retry', role: 'status', textContent: text });
      main.after(notice);
    }
  };

  const flush = async (): Promise<void> => {
    if (isSending || !isAnswered || !items[0]) return;
    isSending = true;
    const batch = items.slice(0, MAX_ITEMS);
    const status = await post(bodyOf(batch));
    isSending = false;
    if (canRetry(status)) {
      warn(texts.retry);
      setTimeout(flush, retryDelay(++failures, Math.random()));
      return;
    }
    failures = 0;
    warn(undefined);
    if (status === 403 && token !== page) {
      // This browser began to answer so long ago that it begins again.
      token = page;
      return flush();
    }
    items.splice(0, batch.length);
    if (status === 200) {
      keep(
        token,
        batch.some(({ state }) => state === 'completed' || state === 'exited'),
      );
      return flush();
    }
    items.length = 0;
    if (status === 409) keep(token, true);
    stop({ 403: texts.link, 409: texts.answered }[status] ?? texts.closed);
  };

  return {
    add: (item) => {
      items.push(item);
      isAnswered ||= item.response !== undefined;
      // What follows in the same task goes with it.
      setTimeout(flush);
    },
    close: () => {
      if (isAnswered && items[0])
        navigator.sendBeacon(pathname, new Blob([bodyOf(items.slice(0, MAX_ITEMS))], { type: 'application/json' }));
    },
  };
}
