import { expect, it } from 'vitest';
import { withoutHalfCharacters } from './well-formed.ts';

it('removes halves of characters from every text, and nothing else', () => {
  const title = `${'x'.repeat(199)}😀`.slice(0, 200);
  const texts = ['a\ud83d', '\ude00b', '😀', '\\ud83d', 'Größe'];
  expect(withoutHalfCharacters({ title, result: { boxes: texts.map((text) => ({ text, x: 1.5 })) } })).toEqual({
    title: 'x'.repeat(199),
    result: { boxes: ['a', 'b', '😀', '\\ud83d', 'Größe'].map((text) => ({ text, x: 1.5 })) },
  });
});
