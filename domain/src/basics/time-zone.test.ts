import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayOf, isTimeZone, startOfDay } from './time-zone.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'America/Sao_Paulo',
];

it.each([
  ['Europe/Berlin', '2029-04-06T22:00:00Z', '2029-04-07'],
  ['Europe/Berlin', '2029-04-06T21:59:59Z', '2029-04-06'],
  ['America/Los_Angeles', '2029-04-07T06:59:59Z', '2029-04-06'],
  ['UTC', '2029-04-07T00:00:00Z', '2029-04-07'],
])('finds the day in %s at %s', (zone, time, day) => {
  expect(dayOf(Date.parse(time), zone)).toBe(Date.parse(day) / 86_400_000);
});

it('lets a day begin where the day before ends, also when clocks change', () => {
  const day = fc.integer({ min: 14_600, max: 25_000 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), day, (zone, day) => {
      const start = startOfDay(day, zone);
      expect([dayOf(start - 1, zone), dayOf(start, zone)]).toEqual([day - 1, day]);
    }),
  );
});

it('knows the names of time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', '', 'x'.repeat(1000)].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
