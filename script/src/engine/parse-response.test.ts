import { describe, expect, it } from 'vitest';
import { ownValue, parseResponse } from './parse-response.ts';

describe('parseResponse', () => {
  it('creates objects without a prototype, at any depth', () => {
    const parsed = parseResponse<{ a: { b: object }[] }>('{"a":[{"b":{"c":1}}]}');
    expect(Object.getPrototypeOf(parsed)).toBeNull();
    expect(Object.getPrototypeOf(parsed.a[0])).toBeNull();
    expect(Object.getPrototypeOf(parsed.a[0]?.b)).toBeNull();
    expect(Array.isArray(parsed.a)).toBe(true);
    expect(JSON.stringify(parsed)).toBe('{"a":[{"b":{"c":1}}]}');
  });

  it('leaves __proto__ out, and keeps constructor as a plain key', () => {
    const parsed = parseResponse<Record<string, unknown>>(
      '{"__proto__":{"evil":1},"constructor":{"__proto__":{"evil":1}}}',
    );
    expect(Object.keys(parsed)).toEqual(['constructor']);
    expect(Object.assign({}, parsed).evil).toBeUndefined();
    expect(({} as Record<string, unknown>).evil).toBeUndefined();
  });
});

describe('ownValue', () => {
  it('returns own properties and none of the prototype', () => {
    expect(ownValue({ a: 1 }, 'a')).toBe(1);
    expect(ownValue({ a: 1 }, 'constructor')).toBeUndefined();
    expect(ownValue(undefined, 'a')).toBeUndefined();
  });
});
