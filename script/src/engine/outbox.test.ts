import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutbox, type Message } from './outbox.ts';

const report = (n: number, token = 'a'): Message => ({ token, kind: 'report', item: { n } });
const event = (n: number, token = 'a'): Message => ({ token, kind: 'event', item: { n } });
const numbers = (batch: readonly Message[]) => batch.map(({ item }) => (item as { n: number }).n);

describe('an outbox', () => {
  it('sends reports of one visit together, events one by one, in order', () => {
    const outbox = createOutbox();
    for (const one of [report(1), report(2), event(3), event(4), report(5), report(6, 'b')]) outbox.add(one);
    const sent = [];
    for (let batch = outbox.take(); batch.length > 0; batch = outbox.take()) {
      sent.push(numbers(batch));
      outbox.done();
    }
    expect(sent).toEqual([[1, 2], [3], [4], [5], [6]]);
  });

  it('has one request on its way, and sends again what failed with what came since', () => {
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

  it('tells each message its own answer, and none where there is none', () => {
    const outbox = createOutbox();
    const told: unknown[] = [];
    for (const n of [1, 2, 3]) outbox.add({ ...report(n), answered: (answer) => told.push([n, answer]) });
    outbox.take();
    outbox.done(['first', 'second']);
    expect(told).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, undefined],
    ]);
  });

  it('gives out all but claims when the page goes, also what is on its way', () => {
    const outbox = createOutbox();
    let lost = false;
    outbox.add(report(1));
    outbox.add({
      ...report(2),
      answered: (answer) => {
        lost = answer === undefined;
      },
    });
    outbox.add(event(3));
    outbox.take();
    expect(outbox.drain().map(numbers)).toEqual([[1], [3]]);
    expect([lost, outbox.isEmpty]).toEqual([true, true]);
    outbox.done();
    outbox.add(report(4));
    expect(numbers(outbox.take())).toEqual([4]);
  });

  it('gives out an event that is on its way too: by its key it is one', () => {
    const outbox = createOutbox();
    outbox.add(event(1));
    outbox.add(event(2));
    outbox.add(report(3));
    outbox.take();
    expect(outbox.drain().map(numbers)).toEqual([[1], [2], [3]]);
  });

  it('keeps 500 at most, the newest', () => {
    const outbox = createOutbox();
    for (let n = 0; n < 510; n++) outbox.add(report(n));
    expect(outbox.drain().flatMap(numbers)).toEqual(Array.from({ length: 500 }, (_, n) => n + 10));
  });

  it('loses nothing, doubles nothing and keeps the order, whatever fails', () => {
    const step = fc.oneof(fc.constant('failed'), fc.constant('done'), fc.constant('add'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const outbox = createOutbox();
        const sent: number[] = [];
        let n = 0;
        for (const what of steps) {
          if (what === 'add') outbox.add(n % 3 === 0 ? event(n++) : report(n++, n % 5 ? 'a' : 'b'));
          else {
            const batch = outbox.take();
            if (what === 'failed') outbox.failed();
            else {
              sent.push(...numbers(batch));
              outbox.done();
            }
          }
        }
        sent.push(...outbox.drain().flatMap(numbers));
        expect(sent).toEqual(Array.from({ length: n }, (_, at) => at));
      }),
    );
  });
});
