import { describe, expect, it } from 'vitest';
import type { PageStep } from '../wire.ts';
import { isDecided } from './decided-urls.ts';

const step = (...urls: string[]): PageStep => ({
  id: urls.join(),
  ...(urls.length > 0 && { quantifier_urls: urls.map((url) => ({ url })) }),
});

describe('isDecided', () => {
  it('is true when all steps with patterns have those of the first step', () => {
    expect(isDecided({ steps: [step('/a', '/b'), step(), step('/a', '/b')] }, {})).toBe(true);
    expect(isDecided({}, {})).toBe(true);
  });

  it('is false when a step has patterns that the visit has not tested', () => {
    expect(isDecided({ steps: [step('/a'), step('/b')] }, {})).toBe(false);
    expect(isDecided({ steps: [step(), step('/b')] }, {})).toBe(false);
  });

  it.each([{ delivery: {} }, { explicitRequest: {} }])('is false when it starts for another reason: %j', (options) => {
    expect(isDecided({ steps: [step('/a')] }, options)).toBe(false);
  });

  it('is false when the user is in the middle of it', () => {
    expect(isDecided({ steps: [step('/a')], step_id: '/a' }, {})).toBe(false);
  });
});
