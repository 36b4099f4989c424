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

/** Parses a body. The result has ordinary prototypes, so that it can be compared. */
async function parse(body: string | Uint8Array, mediaType: string): Promise<unknown> {
  return JSON.parse(JSON.stringify(await parseBody(Buffer.from(body), mediaType)));
}

async function apiErrorOf(body: string | Uint8Array, mediaType: string): Promise<ApiError> {
  const error = await parseBody(Buffer.from(body), mediaType).then(
    (value) => new Error(`it was parsed as ${JSON.stringify(value)}`),
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

describe('an empty body', () => {
  it('returns no parameters for an empty body of any media type', async () => {
    for (const mediaType of [...mediaTypes, 'multipart/form-data; boundary=x']) {
      expect(await parseBody(undefined, mediaType)).toEqual({});
      expect(await parseBody(Buffer.alloc(0), mediaType)).toEqual({});
    }
  });

  it('returns no parameters for white space', async () => {
    for (const mediaType of mediaTypes) expect(await parse(' \r\n\t', mediaType)).toEqual({});
  });
});

describe('a JSON body', () => {
  it('parses JSON of any media type', async () => {
    for (const mediaType of mediaTypes) {
      expect(await parse('{"a":1,"b":[true,null]}', mediaType)).toEqual({ a: 1, b: [true, null] });
      expect(await parse(' \n{"a":"x=y&z"}', mediaType)).toEqual({ a: 'x=y&z' });
    }
  });

  it('accepts a byte order mark before JSON', async () => {
    expect(await parse('\ufeff{"a":1}', 'application/json')).toEqual({ a: 1 });
  });

  it('rejects malformed and truncated JSON', async () => {
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

  it('rejects JSON that is not an object', async () => {
    for (const text of ['[]', '[{"a":1}]', '"a"', '1', 'true', 'null']) {
      expect(await apiErrorOf(text, 'application/json')).toMatchObject({
        code: 422,
        messages: ['The body must be a JSON object'],
      });
    }
  });

  it('recognizes the JSON media type in any case', async () => {
    expect((await apiErrorOf('"a=b"', 'Application/JSON; charset=utf-8')).messages).toEqual([
      'The body must be a JSON object',
    ]);
  });

  it('accepts 64 levels of JSON and rejects more', async () => {
    const nested = (levels: number, [open, close]: [string, string]) =>
      `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
    const kinds: [string, string][] = [
      ['[', ']'],
      ['{"a":', '}'],
    ];
    for (const kind of kinds) {
      expect(await parse(nested(64, kind), 'application/json')).toHaveProperty('a');
      for (const levels of [65, 1000, 100_000]) {
        expect((await apiErrorOf(nested(levels, kind), 'application/json')).messages).toEqual([
          'The body is nested deeper than 64 levels',
        ]);
      }
    }
  });

  it('parses every object back from its JSON', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })),
        fc.constantFrom(...mediaTypes),
        async (value, mediaType) => {
          const text = JSON.stringify(value);
          expect(await parse(text, mediaType)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('rejects JSON that is truncated anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), async (value, at) => {
        const text = JSON.stringify(value);
        const part = text.slice(0, 1 + (at % (text.length - 1)));
        expect((await apiErrorOf(part.toWellFormed(), 'application/json')).code).toBe(422);
      }),
    );
  });
});

describe('a form body', () => {
  it('recognizes a form by its content or by its media type', async () => {
    for (const mediaType of ['', form, `${form}; charset=utf-8`, 'text/plain', 'nonsense']) {
      expect(await parse('a=1&expand[profile]=all&ids[]=x&ids[]=y', mediaType)).toEqual({
        a: '1',
        expand: { profile: 'all' },
        ids: ['x', 'y'],
      });
    }
    expect(await parse('flag', form)).toEqual({ flag: '' });
    expect(await parse('flag', 'APPLICATION/X-WWW-FORM-URLENCODED')).toEqual({ flag: '' });
  });

  it('accepts a line break after a form', async () => {
    expect(await parse('a=1&b=2\r\n', form)).toEqual({ a: '1', b: '2' });
  });

  it('rejects a form with broken percent-encoding', async () => {
    expect((await apiErrorOf('a=%zz', form)).code).toBe(422);
  });

  it('rejects plain text that is not a form', async () => {
    expect(await apiErrorOf('hello', 'text/plain')).toMatchObject({
      code: 422,
      messages: ['The body must be a JSON object or a form'],
    });
  });
});

describe('a multipart form', () => {
  it('parses fields of a multipart form, also nested ones and lists', async () => {
    const fields = [
      ['a', '1'],
      ['expand[profile]', 'all'],
      ['ids[]', 'x'],
      ['ids[]', 'y'],
      ['é&=%', ' + %41&='],
    ] as const;
    expect(await parse(...(await multipart(fields)))).toEqual({
      a: '1',
      expand: { profile: 'all' },
      ids: ['x', 'y'],
      'é&=%': ' + %41&=',
    });
  });

  it('recognizes the multipart media type in any case', async () => {
    const [body, mediaType] = await multipart([['a', '1']]);
    expect(await parse(body, mediaType.replace('multipart/form-data', 'Multipart/Form-Data'))).toEqual({ a: '1' });
  });

  it('parses JSON and plain forms that are labeled as multipart', async () => {
    expect(await parse('{"a":1}', 'multipart/form-data; boundary=x')).toEqual({ a: 1 });
    expect(await parse('a=1', 'multipart/form-data; boundary=x')).toEqual({ a: '1' });
  });

  it('ignores files, which only upload endpoints read', async () => {
    const [body, mediaType] = await multipart([
      ['a', '1'],
      ['file', new Blob(['x'])],
    ]);
    expect(await parse(body, mediaType)).toEqual({ a: '1' });
  });

  it('accepts 200 fields and files and rejects more', async () => {
    const allowed = Array.from({ length: 200 }, (_, n): [string, string | Blob] =>
      n < 100 ? [`a${n}`, 'x'] : ['file', new Blob(['x'])],
    );
    expect(Object.keys((await parse(...(await multipart(allowed)))) as object)).toHaveLength(100);
    expect((await apiErrorOf(...(await multipart([...allowed, ['b', 'x']])))).messages).toEqual([
      'A multipart form has 200 fields and files at most',
    ]);
  });

  it('rejects thousands of files before it parses them', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n';
    const response = vi.spyOn(globalThis, 'Response');
    onTestFinished(() => response.mockRestore());
    for (const mediaType of ['multipart/form-data; boundary=x', 'multipart/form-data; charset=utf-8; Boundary="x"'])
      expect((await apiErrorOf(`${part.repeat(15_000)}--x--\r\n`, mediaType)).code).toBe(422);
    expect(response).not.toHaveBeenCalled();
  });

  it('limits the headers of a part to 16 KB, but not the size of a field', async () => {
    const boundary = 'b'.repeat(30);
    const formOf = (header: number, value: number) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\nX-A: ${'x'.repeat(header)}\r\n\r\n${'x'.repeat(value)}\r\n--${boundary}--\r\n`;
    const type = `multipart/form-data; boundary=${boundary}`;
    expect(await parse(formOf(1000, 100_000), type)).toEqual({ a: 'x'.repeat(100_000) });
    expect((await apiErrorOf(formOf(20_000, 1), type)).messages).toEqual([
      'The headers of a part of a multipart form are larger than 16 KB',
    ]);
  });

  it('rejects a broken multipart form', async () => {
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

  it('parses the same fields from JSON, a form and a multipart form', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(name, text), { minLength: 1, selector: ([key]) => key }),
        async (fields) => {
          const json = JSON.stringify(Object.fromEntries(fields));
          const expected = JSON.parse(json);
          expect(await parse(json, 'application/json')).toEqual(expected);
          expect(await parse(new URLSearchParams(fields).toString(), form)).toEqual(expected);
          expect(await parse(...(await multipart(fields)))).toEqual(expected);
        },
      ),
    );
  });

  it('rejects a body that is not valid UTF-8', async () => {
    for (const bytes of [[0xff], [0x7b, 0x22, 0xc3, 0x22, 0x7d], [0x61, 0x3d, 0xed, 0xa0, 0x80]]) {
      expect(await apiErrorOf(Uint8Array.from(bytes), 'application/json')).toMatchObject({
        code: 422,
        messages: ['The body is not valid UTF-8'],
      });
    }
  });

  it('changes no prototype when keys are `__proto__` or `constructor`', async () => {
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

  it('returns an object or rejects any body with 422', async () => {
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
