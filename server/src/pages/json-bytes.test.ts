import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonBytes } from './json-bytes.ts';

const anyPart = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }).map((text) => Buffer.from(text)),
  // Longer than a block.
  fc.nat(90_000).map((length) => 'é'.repeat(length)),
);

test('an answer stays what it was, whatever is written behind it', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyPart, { maxLength: 4 }), { maxLength: 20 }), (answers) => {
      const written = answers.map((parts) => new JsonBytes(...parts).bytes);
      const wanted = answers.map((parts) =>
        Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
      );
      expect(written.map((bytes) => bytes.toString('hex'))).toEqual(wanted.map((bytes) => bytes.toString('hex')));
    }),
    { numRuns: 60 },
  );
});
