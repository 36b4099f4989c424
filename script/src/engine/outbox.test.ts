import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutbox, type Message } from './outbox.ts';

const report = (n: number, token = 'a'): Message => ({ token, kind: 'report', item: { n } });
const event = (n: number, token = 'a'): Message => ({ token, kind: 'event', item: { n } });
const numbers = (batch: readonly Message[]) => batch.map(({ item }) => (item as { n: number }).n);

describe('outbox', () => {
  it('batches reports of one visit, keeps events single, and keeps the order', () => {
    const outbox = createOutbox();
    for (const message of [report(1), report(2), event(3), event(4), report(5), report(6, 'b')]) outbox.add(message);
    const batches = [];
    for (let batch = outbox.take(); batch.length > 0; batch = outbox.take()) {
      batches.push(numbers(batch));
      outbox.done();
    }
    expect(batches).toEqual([[1, 2], [3], [4], [5], [6]]);
  });

  it('has one request in flight, and sends failed messages again together with new ones', () => {
    const outbox = createOutbox();
    outbox.add(report(1));
    expect(numbers(outbox.take())).toEqual([1]);
    outbox.add(report(2));
    expect(outbox.take()).toEqual([]);
    outbox.failed();
    expect(numbers(outbox.take())).toEqual([1, 2]);
    outbox.done();
    expect(outbox.isEmpty).toBe(true);
  });

  it('passes each message its own response, and undefined if there is none', () => {
    const outbox = createOutbox();
    const received: unknown[] = [];
    for (const n of [1, 2, 3]) outbox.add({ ...report(n), onResponse: (response) => received.push([n, response]) });
    outbox.take();
    outbox.done(['first', 'second']);
    expect(received).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, undefined],
    ]);
  });

  it('drains everything except claims, including what is in flight', () => {
    const outbox = createOutbox();
    let isLost = false;
    outbox.add(report(1));
    outbox.add({
      ...report(2),
      onResponse: (response) => {
        isLost = response === undefined;
      },
    });
    outbox.add(event(3));
    outbox.take();
    expect(outbox.drain().map(numbers)).toEqual([[1], [3]]);
    expect([isLost, outbox.isEmpty]).toEqual([true, true]);
    outbox.done();
    outbox.add(report(4));
    expect(numbers(outbox.take())).toEqual([4]);
  });

  it('drains an event that is in flight too', () => {
    const outbox = createOutbox();
    outbox.add(event(1));
    outbox.add(event(2));
    outbox.add(report(3));
    outbox.take();
    expect(outbox.drain().map(numbers)).toEqual([[1], [2], [3]]);
  });

  it('keeps the newest 500 messages', () => {
    const outbox = createOutbox();
    for (let n = 0; n < 510; n++) outbox.add(report(n));
    expect(outbox.drain().flatMap(numbers)).toEqual(Array.from({ length: 500 }, (_, n) => n + 10));
  });

  it('loses nothing, duplicates nothing and keeps the order, whatever fails', () => {
    const steps = fc.oneof(fc.constant('failed'), fc.constant('done'), fc.constant('add'));
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60 }), (steps) => {
        const outbox = createOutbox();
        const sent: number[] = [];
        let n = 0;
        for (const step of steps) {
          if (step === 'add') outbox.add(n % 3 === 0 ? event(n++) : report(n++, n % 5 ? 'a' : 'b'));
          else {
            const batch = outbox.take();
            if (step === 'failed') outbox.failed();
            else {
              sent.push(...numbers(batch));
              outbox.done();
            }
          }
        }
        sent.push(...outbox.drain().flatMap(numbers));
        expect(sent).toEqual(Array.from({ length: n }, (_, index) => index));
      }),
    );
  });
});
