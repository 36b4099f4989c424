import { describe, expect, it } from 'vitest';
import { ownValue, readAnswer } from './answer.ts';

describe('an answer', () => {
  it('has objects without a prototype, at any depth', () => {
    const read = readAnswer<{ a: { b: object }[] }>('{"a":[{"b":{"c":1}}]}');
    expect(Object.getPrototypeOf(read)).toBeNull();
    expect(Object.getPrototypeOf(read.a[0])).toBeNull();
    expect(Object.getPrototypeOf(read.a[0]?.b)).toBeNull();
    expect(Array.isArray(read.a)).toBe(true);
    expect(JSON.stringify(read)).toBe('{"a":[{"b":{"c":1}}]}');
  });

  it('leaves __proto__ out, and keeps constructor as a plain key', () => {
    const read = readAnswer<Record<string, unknown>>('{"__proto__":{"evil":1},"constructor":{"__proto__":{"evil":1}}}');
    expect(Object.keys(read)).toEqual(['constructor']);
    expect(Object.assign({}, read).evil).toBeUndefined();
    expect(({} as Record<string, unknown>).evil).toBeUndefined();
  });

  it('has what was sent and nothing else', () => {
    expect(ownValue({ a: 1 }, 'a')).toBe(1);
    expect(ownValue({ a: 1 }, 'constructor')).toBeUndefined();
    expect(ownValue(undefined, 'a')).toBeUndefined();
  });
});
