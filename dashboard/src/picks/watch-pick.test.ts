import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, ConnectionError } from '../api/errors.ts';
import type { ElementPick, PickState } from './pick-api.ts';
import { type Stream, watchPick } from './watch-pick.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pickThatIs = (state: PickState) => ({ id: 'p', state, result: null }) as ElementPick;

/** A stream and a server that the test controls. */
function watch() {
  const listeners: Record<string, (event: { data?: unknown }) => void> = {};
  const closed = vi.fn();
  const load = vi.fn(async () => pickThatIs('waiting'));
  const seen: (string | undefined)[] = [];
  let comeBack = () => {};
  const stream: Stream = {
    addEventListener: (name, listener) => {
      listeners[name] = listener;
    },
    close: closed,
  };
  const stop = watchPick('p', (pick) => seen.push(pick?.state), {
    openStream: () => stream,
    load,
    onReturn: (listener) => {
      comeBack = listener;
      return () => undefined;
    },
  });
  return {
    seen,
    load,
    closed,
    stop,
    comeBack: () => comeBack(),
    send: (data: unknown) => listeners.pick?.({ data }),
    sendPick: (state: PickState) => listeners.pick?.({ data: JSON.stringify({ pick: pickThatIs(state) }) }),
    fail: () => listeners.error?.({}),
  };
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('watching a pick', () => {
  it('reports what the stream sends, and asks for nothing', async () => {
    const { seen, load, sendPick } = watch();
    sendPick('waiting');
    await wait(60_000);
    sendPick('picked');
    expect(seen).toEqual(['waiting', 'picked']);
    expect(load).not.toHaveBeenCalled();
  });

  it('asks every 2 seconds while the stream is silent', async () => {
    const { seen, load } = watch();
    await wait(1_999);
    expect(load).not.toHaveBeenCalled();
    await wait(4_001);
    expect(load).toHaveBeenCalledTimes(3);
    expect(seen).toEqual(['waiting', 'waiting', 'waiting']);
  });

  it('asks after the stream broke, until it sends again', async () => {
    const { load, sendPick, fail } = watch();
    sendPick('waiting');
    fail();
    await wait(2_000);
    expect(load).toHaveBeenCalledTimes(1);
    sendPick('opened');
    await wait(60_000);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('goes on when the server cannot be reached', async () => {
    const { seen, load } = watch();
    load.mockRejectedValueOnce(new ConnectionError(undefined));
    await wait(4_000);
    expect(seen).toEqual(['waiting']);
  });

  it('asks once when the person comes back to the tab', async () => {
    const { load, sendPick, comeBack } = watch();
    sendPick('waiting');
    comeBack();
    await wait(60_000);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it.each(['ended', 'expired'] as const)('stops when the pick has %s', async (state) => {
    const { seen, load, closed, sendPick, fail } = watch();
    sendPick(state);
    fail();
    await wait(60_000);
    expect(seen).toEqual([state]);
    expect(closed).toHaveBeenCalledOnce();
    expect(load).not.toHaveBeenCalled();
  });

  it('says that a pick is gone, and stops', async () => {
    const { seen, load } = watch();
    load.mockRejectedValue(new ApiError(404, {}));
    await wait(60_000);
    expect(seen).toEqual([undefined]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('ignores an event that is no JSON', async () => {
    const { seen, send } = watch();
    send('<html>');
    send('null');
    expect(seen).toEqual([]);
  });

  it('reports nothing after it was stopped', async () => {
    const { seen, stop, sendPick } = watch();
    stop();
    sendPick('picked');
    await wait(60_000);
    expect(seen).toEqual([]);
  });
});
