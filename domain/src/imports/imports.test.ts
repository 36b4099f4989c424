import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvReader, findDelimiter, readRecords } from './csv-reader.ts';
import { findMappingProblems, findStartProblems, nameColumns, suggestMapping, toImportParams } from './mapping.ts';
import { toImportTag, withTag } from './tag.ts';

const cellsOf = (text: string, delimiter: ',' | ';' | '\t' = ',') =>
  readRecords(text, delimiter).map(({ cells }) => cells);

describe('the CSV reader', () => {
  it('reads quotes, delimiters and line breaks in cells, and any kind of line end', () => {
    expect(cellsOf('a,b\r\n"x, ""y""\r\nz",\n,"2"\rlast')).toEqual([
      ['a', 'b'],
      ['x, "y"\r\nz', ''],
      ['', '2'],
      ['last'],
    ]);
    expect(cellsOf('a;b,c\n', ';')).toEqual([['a', 'b,c']]);
    expect(cellsOf('5" pipe,x\n"a"b,c\n')).toEqual([
      ['5" pipe', 'x'],
      ['ab', 'c'],
    ]);
  });

  it('reads the same records, however the text is split', () => {
    const cell = fc.stringMatching(/^[a ",;\r\n]{0,6}$/);
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1 }),
        fc.array(fc.nat(40)),
        (rows, cuts) => {
          const text = rows
            .map((row) => `${row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')}\r\n`)
            .join('');
          const reader = new CsvReader(',');
          const read: string[][] = [];
          const texts: string[] = [];
          let at = 0;
          for (const part of [...cuts, text.length]) {
            const { records } = reader.push(text.slice(at, at + part), at + part >= text.length);
            for (const record of records) {
              read.push(record.cells);
              texts.push(record.text);
            }
            at += part;
            if (at >= text.length) break;
          }
          expect(read).toEqual(rows);
          expect(texts.join('')).toBe(text);
        },
      ),
    );
  });

  it('says which record has a quote that is not closed, or no end', () => {
    expect(new CsvReader(',').push('a\n"b\nc', true).problem).toEqual({
      record: 2,
      problem: 'has a quote that is not closed',
    });
    expect(new CsvReader(',').push(`a\n"${'b'.repeat(300_000)}`).problem).toMatchObject({ record: 2 });
    expect(new CsvReader(',').push(`${','.repeat(1000)}\n`).problem).toMatchObject({ record: 1 });
  });

  it('finds the delimiter in the first line', () => {
    expect(['a,b', 'a;b;c', 'a\tb', '"a,b,c";d', 'a'].map(findDelimiter)).toEqual([',', ';', '\t', ';', ',']);
  });
});

describe('the mapping of columns', () => {
  it('names columns without a name, and those with the same name', () => {
    expect(nameColumns([' Email ', '', 'Email', ''])).toEqual(['Email', 'Column 2', 'Email (2)', 'Column 4']);
  });

  it('is suggested by the names of the columns', () => {
    expect(suggestMapping(['User ID', 'E-Mail', 'email', 'company_id', 'Created At', 'id'], 'profile')).toEqual([
      { name: 'User ID', prop: 'uid' },
      { name: 'E-Mail', prop: 'e_mail' },
      { name: 'email', prop: 'email' },
      { name: 'company_id', prop: 'company_uid' },
    ]);
    expect(suggestMapping(['id', 'Plan'], 'company')).toEqual([
      { name: 'id', prop: 'uid' },
      { name: 'Plan', prop: 'plan' },
    ]);
  });

  it('has problems that name the column', () => {
    const problems = findMappingProblems(
      [
        { name: 'x', prop: 'plan' },
        { name: 'a', prop: 'plan' },
        { name: 'b', prop: 'company' },
        { name: 'b', prop: 'import_tags' },
      ],
      'profile',
      ['a', 'b'],
    );
    expect(problems).toHaveLength(5);
    expect(problems[0]).toBe('`properties[0].name` is “x”, which is no column of the file: its columns are “a”, “b”');
    expect(findMappingProblems([{ name: 'x', prop: 'plan' }], 'profile', null)).toEqual([]);
  });

  it('must find the records', () => {
    const email = [{ name: 'a', prop: 'email' }];
    expect(findStartProblems('update_csv', 'profile', 'ignore', email)).toEqual([]);
    expect(findStartProblems('update_csv', 'profile', 'create', email)).toHaveLength(1);
    expect(findStartProblems('delete_csv', 'profile', 'create', email)).toEqual([]);
    expect(findStartProblems('delete_csv', 'company', 'ignore', email)).toHaveLength(1);
  });

  it('turns a row into parameters, without empty cells', () => {
    const columns = ['id', 'Mail', 'Plan', 'Firm', 'Size', '__proto__'];
    const properties = [
      { name: 'id', prop: 'uid' },
      { name: 'Mail', prop: 'email' },
      { name: 'Plan', prop: 'plan' },
      { name: 'Firm', prop: 'company.uid' },
      { name: 'Size', prop: 'company.size' },
      { name: '__proto__', prop: '__proto__' },
    ];
    const cells = [' 7 ', 'a@b.test', '', '9', '10', 'x'];
    const params = toImportParams(cells, columns, properties, 'update_csv', 'profile');
    expect(Object.keys(params)).toEqual(['uid', 'email', '__proto__', 'company']);
    expect(params.uid).toBe('7');
    expect({ ...(params.company as object) }).toEqual({ uid: '9', size: '10' });
    expect({ ...toImportParams(cells, columns, properties, 'tag_csv', 'profile') }).toEqual({ uid: '7' });
    expect(({} as { x?: string }).x).toBeUndefined();
  });
});

it('gives an import a tag that is always a text, and adds it once', () => {
  const names = ['Beta Customers', '2024', 'true', '!!!'];
  expect(names.map((name) => toImportTag({ id: 'abc', name }))).toEqual([
    'beta_customers',
    'import_2024',
    'import_true',
    'import_abc',
  ]);
  expect(withTag(undefined, 'a')).toEqual(['a']);
  expect(withTag(['a'], 'b')).toEqual(['a', 'b']);
  expect(withTag(['a'], 'a')).toEqual(['a']);
});
