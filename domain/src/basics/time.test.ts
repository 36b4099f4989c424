import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { parseTime, toTimestamp, toTimestampOrNull } from './time.ts';

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const NOW = Date.UTC(2029, 3, 7, 12, 18, 0, 250);
const time = fc.integer({ min: 0, max: LAST });

/** The timestamp of each input; undefined for a rejected one. */
function readAll(input: readonly unknown[]): Record<string, string | undefined> {
  return Object.fromEntries(
    input.map((item) => {
      const read = parseTime(item, NOW);
      return [String(item), read === undefined ? undefined : toTimestamp(read)];
    }),
  );
}

function expectRejected(input: readonly unknown[]): void {
  expect(input.filter((item) => parseTime(item, NOW) !== undefined)).toEqual([]);
}

describe('toTimestamp', () => {
  it('always writes milliseconds and UTC', () => {
    expect(toTimestamp(Date.UTC(2029, 3, 7, 12, 18))).toBe('2029-04-07T12:18:00.000Z');
    fc.assert(fc.property(time, (at) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(toTimestamp(at))));
    fc.assert(fc.property(time, (at) => toTimestamp(at) === new Date(at).toISOString()));
  });

  it('returns null for null', () => {
    expect(toTimestampOrNull(null)).toBe(null);
    expect(toTimestampOrNull(0)).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('parseTime', () => {
  it('reads ISO 8601 in its usual forms', () => {
    const expected = {
      '2029-04-07T12:18:00.000Z': '2029-04-07T12:18:00.000Z',
      '2029-04-07T12:18:00Z': '2029-04-07T12:18:00.000Z',
      '2029-04-07T12:18Z': '2029-04-07T12:18:00.000Z',
      '2029-04-07T12:18:00': '2029-04-07T12:18:00.000Z',
      '2029-04-07t12:18:00z': '2029-04-07T12:18:00.000Z',
      '2029-04-07T12:18:00.5Z': '2029-04-07T12:18:00.500Z',
      '2029-04-07T12:18:00,25Z': '2029-04-07T12:18:00.250Z',
      '2029-04-07T12:18:00.123456789Z': '2029-04-07T12:18:00.123Z',
      '2029-04-07T23:59:59.999Z': '2029-04-07T23:59:59.999Z',
      '2029-04-07': '2029-04-07T00:00:00.000Z',
      '2028-02-29': '2028-02-29T00:00:00.000Z',
    };
    expect(readAll(Object.keys(expected))).toEqual(expected);
  });

  it('reads a date and a time with a space between them', () => {
    const expected = {
      '2029-04-07 12:18:00': '2029-04-07T12:18:00.000Z',
      '2029-04-07 12:18': '2029-04-07T12:18:00.000Z',
      '2029-04-07 12:18:00+00': '2029-04-07T12:18:00.000Z',
      '2029-04-07T12:18:00 02:00': '2029-04-07T10:18:00.000Z',
    };
    expect(readAll(Object.keys(expected))).toEqual(expected);
  });

  it('converts every zone to UTC', () => {
    const expected = {
      '2029-04-07T12:18:00+02:00': '2029-04-07T10:18:00.000Z',
      '2029-04-07T12:18:00-0800': '2029-04-07T20:18:00.000Z',
      '2029-04-07T12:18:00+05:45': '2029-04-07T06:33:00.000Z',
      '2029-04-07T12:18:00-03': '2029-04-07T15:18:00.000Z',
      '2029-04-07T12:18:00+14:00': '2029-04-06T22:18:00.000Z',
      '2029-04-07T12:18:00-00:00': '2029-04-07T12:18:00.000Z',
      '2029-01-01T00:30:00+01:00': '2028-12-31T23:30:00.000Z',
    };
    expect(readAll(Object.keys(expected))).toEqual(expected);
  });

  it('reads Unix seconds, as a number and as its digits', () => {
    expect(parseTime(1870258680, NOW)).toBe(1870258680000);
    expect(parseTime('1870258680', NOW)).toBe(1870258680000);
    expect(parseTime(1870258680.25, NOW)).toBe(1870258680250);
    expect(parseTime('1870258680.25', NOW)).toBe(1870258680250);
    expect(parseTime(0, NOW)).toBe(0);
    expect(parseTime('0', NOW)).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Math.floor(LAST / 1000) }), (seconds) => {
        expect(parseTime(seconds, NOW)).toBe(seconds * 1000);
        expect(parseTime(String(seconds), NOW)).toBe(seconds * 1000);
      }),
    );
  });

  it('reads $now and intervals from now', () => {
    const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
    expect(parseTime('$now', NOW)).toBe(NOW);
    expect(parseTime('+30d', NOW)).toBe(NOW + 30 * day);
    expect(parseTime('+2w', NOW)).toBe(NOW + 14 * day);
    expect(parseTime('+5m', NOW)).toBe(NOW + 5 * minute);
    expect(parseTime('+0h', NOW)).toBe(NOW);
    expect(parseTime('+36h', NOW)).toBe(NOW + 36 * hour);
    expect(parseTime(' 36h', NOW), 'a form turns an unescaped + into a space').toBe(NOW + 36 * hour);
  });

  it('rejects intervals into the past', () => {
    expectRejected(['-5d', '-1m', '-0d', '-2w', '- 5d', '+-5d']);
  });

  it('rejects dates that do not exist', () => {
    expectRejected([
      '2029-02-30',
      '2029-02-29',
      '2100-02-29',
      '2029-04-31T00:00:00Z',
      '2029-13-01',
      '2029-00-10',
      '2029-01-00',
      '2029-01-32',
    ]);
  });

  it('rejects times of day and zones that do not exist', () => {
    expectRejected([
      '2029-04-07T24:00:00Z',
      '2029-04-07T25:00:00Z',
      '2029-04-07T12:60:00Z',
      '2029-04-07T12:18:60Z',
      '2029-04-07T12:18:00+16:00',
      '2029-04-07T12:18:00+02:60',
      '2029-04-07T12:18:00+2',
      '2029-04-07T12:18:00 +02:00',
      '2029-04-07T12:18:00CET',
    ]);
  });

  it('rejects times before 1970 or after the year 9999', () => {
    expect(parseTime('9999-12-31T23:59:59.999Z', NOW)).toBe(LAST);
    expect(parseTime(LAST / 1000, NOW)).toBe(LAST);
    expectRejected([
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59.999-01:00',
      '0000-01-01',
      '0099-01-01',
      '-000001-01-01',
      '+012029-04-07T12:18:00Z',
      '-1',
      -1,
      LAST / 1000 + 1,
      Date.UTC(2029, 0, 1),
      '999999999999',
      '-99999w',
      '+999999999w',
    ]);
  });

  it('rejects NaN, infinite numbers and numbers out of range', () => {
    expectRejected([
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
    ]);
    expectRejected(['NaN', 'Infinity', '1e9', '0x10', '9'.repeat(400), `+${'9'.repeat(400)}d`, 10n, 2 ** 53]);
  });

  it('rejects a text that is not a time', () => {
    expectRejected(['', ' ', 'now', '$NOW', 'tomorrow', '30d', '+30', '+30y', '+1.5d', '+-3d', '12:18', '2029-04']);
    expectRejected([
      '2029-4-7',
      '07/04/2029',
      'Sat Apr 07 2029',
      ' 2029-04-07',
      '2029-04-07\n',
      '2029-04-07T',
      '２０２９-04-07',
    ]);
  });

  it('rejects a value that is neither a text nor a number', () => {
    expectRejected([
      undefined,
      null,
      true,
      false,
      [],
      ['2029-04-07'],
      {},
      new Date(),
      { valueOf: () => 5 },
      Symbol('now'),
    ]);
  });

  it('reads every time that toTimestamp writes', () => {
    fc.assert(fc.property(time, (at) => parseTime(toTimestamp(at), NOW) === at));
  });

  it('reads the same moment from every zone it is written in', () => {
    const zone = fc.record({
      sign: fc.constantFrom(1, -1),
      hours: fc.nat(14),
      minutes: fc.nat(59),
      colon: fc.constantFrom(':', ''),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 86_400_000, max: LAST - 86_400_000 }),
        zone,
        (at, { sign, hours, minutes, colon }) => {
          const local = toTimestamp(at + sign * (hours * 60 + minutes) * 60_000).replace('Z', '');
          const two = (number: number) => String(number).padStart(2, '0');
          expect(parseTime(`${local}${sign > 0 ? '+' : '-'}${two(hours)}${colon}${two(minutes)}`, NOW)).toBe(at);
        },
      ),
    );
  });

  it('reads exactly the calendar date that is written', () => {
    const part = (max: number) => fc.nat(max).map((number) => String(number).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9999 }), part(15), part(33), (year, month, day) => {
        const date = `${String(year).padStart(4, '0')}-${month}-${day}`;
        const read = parseTime(date, NOW);
        expect(read === undefined || toTimestamp(read) === `${date}T00:00:00.000Z`).toBe(true);
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('returns a valid time or undefined for any input', () => {
    const nearly = fc.string({ unit: fc.constantFrom(...'0123456789-:.,+TtZz $nowmhdw'), maxLength: 32 });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.double(), nearly), (input) => {
        const read = parseTime(input, NOW);
        if (read === undefined) return;
        expect(Number.isInteger(read) && read >= 0 && read <= LAST).toBe(true);
        expect(parseTime(toTimestamp(read), NOW)).toBe(read + 0);
      }),
      { numRuns: randomRuns(400) },
    );
  });
});
