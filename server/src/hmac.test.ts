import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmacOf } from './hmac.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('a text is signed as `createHmac` signs it, with keys and texts of any length', () => {
  fc.assert(
    fc.property(anyText, anyText, (key, text) => {
      const wellFormed = [key.toWellFormed(), text.toWellFormed()] as const;
      expect(hmacOf(...wellFormed)).toBe(createHmac('sha256', wellFormed[0]).update(wellFormed[1]).digest('base64url'));
    }),
    { numRuns: 300 },
  );
});

test('what was signed before does not change what is signed next', () => {
  const [first, second] = ['one', 'two'].map((text) => hmacOf('the key', text));
  expect(first).not.toBe(second);
  expect(hmacOf('another key', 'one')).not.toBe(first);
  expect(hmacOf('the key', 'one')).toBe(first);
});
