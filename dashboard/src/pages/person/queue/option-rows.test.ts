import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newRow, readDraft, toDraft, toRows, withUsed } from './option-rows.ts';

const read = (rows: [string, string][], used: string[] = []) =>
  readDraft({ rows: rows.map(([key, text]) => newRow(key, text)) }, used);

describe('values of a Delivery', () => {
  it('become nested options', () => {
    expect(
      read([
        ['manager.name', 'Bo'],
        ['manager.phone', '012'],
        ['day', 'Monday'],
      ]),
    ).toEqual({
      options: { manager: { name: 'Bo', phone: '012' }, day: 'Monday' },
    });
    expect(read([['', '']])).toEqual({ options: null });
  });

  it('leave out what texts use and nothing was typed for', () => {
    expect(
      read(
        [
          ['day', ''],
          ['own', ''],
        ],
        ['day'],
      ),
    ).toEqual({ options: { own: '' } });
  });

  it('say what is wrong', () => {
    expect(read([['', 'x']])).toEqual({ problem: { code: 'noKey' } });
    expect(read([['a..b', 'x']])).toEqual({ problem: { code: 'noKey' } });
    expect(
      read([
        ['a', 'x'],
        [' a ', 'y'],
      ]),
    ).toEqual({ problem: { code: 'twice', key: 'a' } });
    expect(
      read([
        ['a', 'x'],
        ['a.b', 'y'],
      ]),
    ).toEqual({ problem: { code: 'clash', key: 'a' } });
    expect(
      read([
        ['a.b', 'y'],
        ['a', 'x'],
      ]),
    ).toEqual({ problem: { code: 'clash', key: 'a' } });
    for (const json of ['[1]', '{', 'null', '"x"'])
      expect(readDraft({ json }, [])).toEqual({ problem: { code: 'json' } });
  });

  it('keep numbers and booleans until another text is typed', () => {
    const rows = toRows({ count: 3, isOn: true, none: null, name: 'Bo' }) ?? [];
    expect(readDraft({ rows }, [])).toEqual({ options: { count: 3, isOn: true, none: null, name: 'Bo' } });
    const typed = rows.map((row) => (row.key === 'count' ? { ...row, text: '4' } : row));
    expect(readDraft({ rows: typed }, [])).toEqual({ options: { count: '4', isOn: true, none: null, name: 'Bo' } });
  });

  it('have a row for each value that texts use', () => {
    const rows = withUsed([newRow('day', 'Monday')], ['manager.name', 'day']);
    expect(rows.map(({ key }) => key)).toEqual(['day', 'manager.name']);
  });

  it('come back unchanged, whatever JSON they are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        const options = JSON.parse(JSON.stringify(input));
        const expected = Object.keys(options).length === 0 ? null : options;
        expect(readDraft(toDraft(options), [])).toEqual({ options: expected });
      }),
    );
  });
});
