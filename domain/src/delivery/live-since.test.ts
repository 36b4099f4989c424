import { expect, it } from 'vitest';
import { findLiveSince, type PublishingChange } from './live-since.ts';

const publish = (at: number, published_at = at): PublishingChange => ({ at, published_at });

it.each<[string, PublishingChange[], number | null]>([
  ['the first publish', [publish(10)], 10],
  ['the first of several publishes', [publish(10), publish(20), publish(30)], 10],
  ['the publish after a pause', [publish(10), { at: 20, published_at: null }, publish(30), publish(40)], 30],
  ['its time, if it was scheduled', [publish(10, 50)], 50],
  ['another time, if that was changed before', [publish(10, 50), publish(20, 40)], 40],
  ['the first publish, if the next version was scheduled', [publish(10), publish(20, 50)], 10],
  [
    'the publish after its end',
    [
      { ...publish(10), published_until: 20 },
      { ...publish(30), published_until: null },
    ],
    30,
  ],
  [
    'the first publish, if its end was put off in time',
    [
      { ...publish(10), published_until: 20 },
      { at: 15, published_until: 90 },
    ],
    10,
  ],
  ['the time when it was restored', [publish(10), { at: 20, archived_at: 20 }, { at: 30, archived_at: null }], 30],
  ['nothing while it is paused', [publish(10), { at: 20, published_at: null }], null],
  ['nothing without any change', [], null],
])('counts from %s', (_, changes, since) => {
  expect(findLiveSince(changes)).toBe(since);
});
