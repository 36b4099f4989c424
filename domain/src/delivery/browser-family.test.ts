import { describe, expect, it } from 'vitest';
import { browserFamilyOf } from './browser-family.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('browserFamilyOf', () => {
  it.each([
    [`${windows} ${blink} Chrome/140.0.0.0 Safari/537.36`, 'chrome'],
    [`${windows} ${blink} HeadlessChrome/140.0.0.0 Safari/537.36`, 'chrome'],
    [`${iphone} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 'chrome'],
    [`${windows} ${blink} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'edge'],
    [`${iphone} Version/18.0 EdgiOS/140.0 Mobile/15E148 Safari/604.1`, 'edge'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'firefox'],
    [`${iphone} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'firefox'],
    [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, 'safari'],
    [`${iphone} Version/18.0 Mobile/15E148 Safari/604.1`, 'safari'],
    [`${windows} ${blink} Chrome/140.0.0.0 Safari/537.36 OPR/122.0.0.0`, 'other'],
    [`${iphone} Mobile/15E148`, 'other'],
    ['curl/8.5.0', 'other'],
    ['', 'other'],
    [undefined, 'other'],
  ])('reads %s as %s', (userAgent, family) => {
    expect(browserFamilyOf(userAgent)).toBe(family);
  });

  it('reads a hostile text in linear time', () => {
    const started = performance.now();
    browserFamilyOf('Version/1 '.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
