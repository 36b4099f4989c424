import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError } from '../errors.ts';
import { parseBody } from './body.ts';

const form = 'application/x-www-form-urlencoded';
const mediaTypes = [
  '',
  'application/json',
  'application/vnd.api+json',
  form,
  'text/plain',
  'application/octet-stream',
  'nonsense',
];

/** As a plain value, so that it can be compared whatever its prototype is. */
async function read(body: string | Uint8Array, mediaType: string): Promise<unknown> {
  return JSON.parse(JSON.stringify(await parseBody(Buffer.from(body), mediaType)));
}

async function apiErrorOf(body: string | Uint8Array, mediaType: string): Promise<ApiError> {
  const error = await parseBody(Buffer.from(body), mediaType).then(
    (value) => new Error(`it was read as ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (error instanceof ApiError) return error;
  throw error;
}

/** A multipart body as fetch sends it. */
async function multipart(fields: readonly (readonly [string, string | Blob])[]): Promise<[Buffer, string]> {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value as string);
  const response = new Response(data);
  return [Buffer.from(await response.arrayBuffer()), response.headers.get('content-type') ?? ''];
}

describe('no body', () => {
  it('is no parameters, whatever the media type says', async () => {
    for (const mediaType of [...mediaTypes, 'multipart/form-data; boundary=x']) {
      expect(await parseBody(undefined, mediaType)).toEqual({});
      expect(await parseBody(Buffer.alloc(0), mediaType)).toEqual({});
    }
  });

  it('may be only white space', async () => {
    for (const mediaType of mediaTypes) expect(await read(' \r\n\t', mediaType)).toEqual({});
  });
});

describe('JSON', () => {
  it('is read whatever the media type says', async () => {
    for (const mediaType of mediaTypes) {
      expect(await read('{"a":1,"b":[true,null]}', mediaType)).toEqual({ a: 1, b: [true, null] });
      expect(await read(' \n{"a":"x=y&z"}', mediaType)).toEqual({ a: 'x=y&z' });
    }
  });

  it('may begin with a byte order mark', async () => {
    expect(await read('\ufeff{"a":1}', 'application/json')).toEqual({ a: 1 });
  });

  it('is refused when it is malformed or truncated', async () => {
    for (const text of [
      '{',
      '{"a":1',
      '{"a":1}}',
      '{a:1}',
      "{'a':1}",
      '{"a":01}',
      '{"a":NaN}',
      '[',
      '{"a":1,}',
      '{"a":"\n"}',
    ]) {
      expect(await apiErrorOf(text, 'application/json')).toMatchObject({
        code: 422,
        messages: ['The body is not valid JSON'],
      });
    }
  });

  it('is refused when it is no object', async () => {
    for (const text of ['[]', '[{"a":1}]', '"a"', '1', 'true', 'null']) {
      expect(await apiErrorOf(text, 'application/json')).toMatchObject({
        code: 422,
        messages: ['The body must be a JSON object'],
      });
    }
  });

  it('is meant by the media type in capitals too', async () => {
    expect((await apiErrorOf('"a=b"', 'Application/JSON; charset=utf-8')).messages).toEqual([
      'The body must be a JSON object',
    ]);
  });

  it('may be nested 64 levels deep and no deeper', async () => {
    const nested = (levels: number, [open, close]: [string, string]) =>
      `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
    const kinds: [string, string][] = [
      ['[', ']'],
      ['{"a":', '}'],
    ];
    for (const kind of kinds) {
      expect(await read(nested(64, kind), 'application/json')).toHaveProperty('a');
      for (const levels of [65, 1000, 100_000]) {
        expect((await apiErrorOf(nested(levels, kind), 'application/json')).messages).toEqual([
          'The body is nested deeper than 64 levels',
        ]);
      }
    }
  });

  it('gives back every object that it is written from', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })),
        fc.constantFrom(...mediaTypes),
        async (value, mediaType) => {
          const text = JSON.stringify(value);
          expect(await read(text, mediaType)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('truncated anywhere is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), async (value, at) => {
        const text = JSON.stringify(value);
        const part = text.slice(0, 1 + (at % (text.length - 1)));
        expect((await apiErrorOf(part.toWellFormed(), 'application/json')).code).toBe(422);
      }),
    );
  });
});

describe('forms', () => {
  it('are read by their look or by their media type', async () => {
    for (const mediaType of ['', form, `${form}; charset=utf-8`, 'text/plain', 'nonsense']) {
      expect(await read('a=1&expand[profile]=all&ids[]=x&ids[]=y', mediaType)).toEqual({
        a: '1',
        expand: { profile: 'all' },
        ids: ['x', 'y'],
      });
    }
    expect(await read('flag', form)).toEqual({ flag: '' });
    expect(await read('flag', 'APPLICATION/X-WWW-FORM-URLENCODED')).toEqual({ flag: '' });
  });

  it('may end in a line break', async () => {
    expect(await read('a=1&b=2\r\n', form)).toEqual({ a: '1', b: '2' });
  });

  it('are refused when their encoding is broken', async () => {
    expect((await apiErrorOf('a=%zz', form)).code).toBe(422);
  });

  it('are not seen in text that is none', async () => {
    expect(await apiErrorOf('hello', 'text/plain')).toMatchObject({
      code: 422,
      messages: ['The body must be a JSON object or a form'],
    });
  });
});

describe('multipart forms', () => {
  it('give their fields, nested and listed too', async () => {
    const fields = [
      ['a', '1'],
      ['expand[profile]', 'all'],
      ['ids[]', 'x'],
      ['ids[]', 'y'],
      ['é&=%', ' + %41&='],
    ] as const;
    expect(await read(...(await multipart(fields)))).toEqual({
      a: '1',
      expand: { profile: 'all' },
      ids: ['x', 'y'],
      'é&=%': ' + %41&=',
    });
  });

  it('are known by their media type in any case', async () => {
    const [body, mediaType] = await multipart([['a', '1']]);
    expect(await read(body, mediaType.replace('multipart/form-data', 'Multipart/Form-Data'))).toEqual({ a: '1' });
  });

  it('are not seen in JSON or a plain form whose media type claims them', async () => {
    expect(await read('{"a":1}', 'multipart/form-data; boundary=x')).toEqual({ a: 1 });
    expect(await read('a=1', 'multipart/form-data; boundary=x')).toEqual({ a: '1' });
  });

  it('leave files to the endpoints that take them', async () => {
    const [body, mediaType] = await multipart([
      ['a', '1'],
      ['file', new Blob(['x'])],
    ]);
    expect(await read(body, mediaType)).toEqual({ a: '1' });
  });

  it('have 200 fields and files at most', async () => {
    const most = Array.from({ length: 200 }, (_, n): [string, string | Blob] =>
      n < 100 ? [`a${n}`, 'x'] : ['file', new Blob(['x'])],
    );
    expect(Object.keys((await read(...(await multipart(most)))) as object)).toHaveLength(100);
    expect((await apiErrorOf(...(await multipart([...most, ['b', 'x']])))).messages).toEqual([
      'A multipart form has 200 fields and files at most',
    ]);
  });

  it('are refused before they are read when they have thousands of files', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n';
    const response = vi.spyOn(globalThis, 'Response');
    onTestFinished(() => response.mockRestore());
    for (const mediaType of ['multipart/form-data; boundary=x', 'multipart/form-data; charset=utf-8; Boundary="x"'])
      expect((await apiErrorOf(`${part.repeat(15_000)}--x--\r\n`, mediaType)).code).toBe(422);
    expect(response).not.toHaveBeenCalled();
  });

  it('have 16 KB of headers in a part at most, and any size of field', async () => {
    const boundary = 'b'.repeat(30);
    const formOf = (header: number, value: number) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\nX-A: ${'x'.repeat(header)}\r\n\r\n${'x'.repeat(value)}\r\n--${boundary}--\r\n`;
    const type = `multipart/form-data; boundary=${boundary}`;
    expect(await read(formOf(1000, 100_000), type)).toEqual({ a: 'x'.repeat(100_000) });
    expect((await apiErrorOf(formOf(20_000, 1), type)).messages).toEqual([
      'The headers of a part of a multipart form are larger than 16 KB',
    ]);
  });

  it('are refused when they are broken', async () => {
    const [body, mediaType] = await multipart([['a', '1']]);
    const broken: [string | Uint8Array, string][] = [
      [body, 'multipart/form-data'],
      [body, 'multipart/form-data; boundary=other'],
      [body.subarray(0, body.length - 10), mediaType],
    ];
    for (const [part, type] of broken) {
      expect(await apiErrorOf(part, type)).toMatchObject({
        code: 422,
        messages: ['The body is not a valid multipart form'],
      });
    }
  });
});

describe('any body', () => {
  const name = fc.string({ unit: 'grapheme-ascii', minLength: 1 }).filter((text) => !/[[\].%]/.test(text));
  const text = fc.string({ unit: 'grapheme' });
  const anyMediaType = fc.oneof(
    fc.constantFrom(
      ...mediaTypes,
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary="',
      'text/plain; charset=utf-16',
    ),
    fc.string({ unit: 'grapheme-ascii' }),
  );
  const piece = fc.constantFrom(
    '--x',
    '--x--',
    '\r\n',
    '\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="a"',
    'content-disposition: form-data; name=a; filename="b"',
    'Content-Type: text/plain; charset=utf-16',
    'Content-Transfer-Encoding: base64',
    '{',
    '}',
    '"a":',
    '[',
    '1',
    '=',
    '&',
    '%',
    '%0',
    'a',
    '\0',
    ':',
  );
  const anyBody = fc.oneof(
    fc.uint8Array({ minLength: 1 }),
    fc.string({ unit: piece, minLength: 1, maxLength: 30 }).map((body) => new TextEncoder().encode(body)),
    fc.json().map((body) => new TextEncoder().encode(body)),
  );

  it('gives the same fields as JSON, as a form and as a multipart form', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(name, text), { minLength: 1, selector: ([key]) => key }),
        async (fields) => {
          const json = JSON.stringify(Object.fromEntries(fields));
          const expected = JSON.parse(json);
          expect(await read(json, 'application/json')).toEqual(expected);
          expect(await read(new URLSearchParams(fields).toString(), form)).toEqual(expected);
          expect(await read(...(await multipart(fields)))).toEqual(expected);
        },
      ),
    );
  });

  it('is refused when it is no valid UTF-8', async () => {
    for (const bytes of [[0xff], [0x7b, 0x22, 0xc3, 0x22, 0x7d], [0x61, 0x3d, 0xed, 0xa0, 0x80]]) {
      expect(await apiErrorOf(Uint8Array.from(bytes), 'application/json')).toMatchObject({
        code: 422,
        messages: ['The body is not valid UTF-8'],
      });
    }
  });

  it('keeps keys that every object is born with from doing harm', async () => {
    const before = Reflect.ownKeys(Object.prototype);
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    expect(Object.keys(await parseBody(Buffer.from(hostile), ''))).toEqual(['__proto__', 'constructor']);
    await parseBody(Buffer.from('__proto__[polluted]=1&constructor[prototype][polluted]=1'), form);
    await parseBody(
      ...(await multipart([
        ['__proto__[polluted]', '1'],
        ['constructor.prototype.polluted', '1'],
      ])),
    );
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  });

  it('is read as an object or refused with 422', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyMediaType, async (body, mediaType) => {
        try {
          const value = await parseBody(Buffer.from(body), mediaType);
          expect(typeof value === 'object' && value !== null && !Array.isArray(value)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect(error).toMatchObject({ code: 422 });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
