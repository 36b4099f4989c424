import { accountPrompt } from './prompt.ts';

/*
 * All tabs of a browser share one session. Each request names the administrator that its tab belongs to, so that the
 * server rejects the request after another tab has switched the account.
 */

const CHANNEL = 'usher-user';

let shown: string | undefined;
let switching: Promise<unknown> | undefined;

export function shownUser(): string | undefined {
  return shown;
}

/** From now on this tab shows data of this administrator. Requests for the previous administrator are canceled. */
export function setShownUser(id: string): void {
  if (shown === id) return;
  shown = id;
  accountPrompt.cancel();
}

/** Tells the other tabs to which administrator the session belongs now. */
export function announceUser(id: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(id);
  channel.close();
}

/** Asks what to do when another tab has switched the account. Returns a function that stops it. */
export function followOtherTabs(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === shown) accountPrompt.finish();
    else if (shown !== undefined) accountPrompt.ask('switched').catch(() => undefined);
  };
  return () => channel.close();
}

/**
 * While this tab switches the account, requests for the previous account can fail. No other tab is the reason for that.
 */
export async function whileSwitching<Result>(work: () => Promise<Result>): Promise<Result> {
  const promise = work();
  switching = promise.catch(() => undefined);
  return promise;
}

export async function switchDone(): Promise<void> {
  await switching;
}
