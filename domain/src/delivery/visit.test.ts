import { describe, expect, it } from 'vitest';
import { compileReader } from '../params/read.ts';
import { readUidHash, toBrowser, toVisitProfileItem, VisitInput } from './visit.ts';

const NOW = Date.parse('2029-04-07T12:18:00.000Z');
const required = { uid: '18821', href: 'https://app.example.com/' };
const read = compileReader<VisitInput>(VisitInput);

function sent(input: object): VisitInput & { uid: string } {
  const reading = read({ ...required, ...input }, NOW);
  if ('problems' in reading) throw new Error(reading.problems.join());
  return { ...reading.value, uid: reading.value.uid ?? '' };
}

function problemsOf(input: object): string[] {
  const reading = read({ ...required, ...input }, NOW);
  if ('problems' in reading) return reading.problems;
  const problems: string[] = [];
  toVisitProfileItem({ ...reading.value, uid: '18821' }, problems, 0);
  toBrowser(reading.value, undefined, problems);
  return problems;
}

describe('toBrowser', () => {
  const browserOf = (browser: object | null | undefined, acceptLanguage?: string) =>
    toBrowser(sent(browser === undefined ? {} : { browser }), acceptLanguage, []);
  const nothing = { browser_x: null, browser_tz: null, browser_l: null, browser_n: null, browser_k: null };

  it('returns the columns of the browser', () => {
    expect(browserOf({ x: 1440, tz: -8, l: 'pt-br', n: 'chrome', k: 'desktop' })).toEqual({
      browser_x: 1440,
      browser_tz: -8,
      browser_l: 'pt-BR',
      browser_n: 'chrome',
      browser_k: 'desktop',
    });
  });

  it('accepts a missing browser, or missing fields', () => {
    expect([browserOf(undefined), browserOf(null), browserOf({}), browserOf({ x: null, l: null })]).toEqual(
      Array(4).fill(nothing),
    );
    expect(browserOf({ x: 10 })).toEqual({ ...nothing, browser_x: 10 });
  });

  it('rounds pixels and hours', () => {
    expect(browserOf({ x: 1440.4, tz: 5.5 })).toMatchObject({ browser_x: 1440, browser_tz: 6 });
    expect(Object.is(browserOf({ tz: -0.2 }).browser_tz, 0)).toBe(true);
  });

  it('uses the first language of `Accept-Language` when the page sends none', () => {
    const language = (header: string) => browserOf({}, header).browser_l;
    expect(['de-AT,de;q=0.9,en;q=0.8', 'fr;q=0.5', ' pt_br , en', 'en'].map(language)).toEqual([
      'de-AT',
      'fr',
      'pt-BR',
      'en',
    ]);
    expect(['*', '', ';', ',en', 'x'.repeat(1000), '<script>'].map(language)).toEqual(Array(6).fill(null));
    expect(browserOf({ l: 'es' }, 'de').browser_l).toBe('es');
  });

  it.each([
    ['x', -1],
    ['x', 'wide'],
    ['x', 1e9],
    ['tz', 480],
    ['tz', -15],
    ['l', 'not a language'],
    ['l', 7],
    ['n', 'netscape'],
    ['k', 'fridge'],
  ])('rejects the invalid `%s` %s', (name, value) => {
    expect(problemsOf({ browser: { [name]: value } })).toEqual([expect.stringMatching(`^\`browser.${name}\` must be`)]);
  });
});

describe('visit parameters', () => {
  it('require the address of the page', () => {
    const reading = read({}, NOW);
    expect('problems' in reading && reading.problems.map((problem) => problem.split(' ')[0])).toEqual(['`href`']);
  });

  it('contain the email, the Company and normalized custom properties', () => {
    const input = { email: 'Ann@Example.com', company: { uid: 931, Plan: 'pro' }, properties: { userRole: 'admin' } };
    expect(toVisitProfileItem(sent(input), [], 0)).toEqual({
      uid: '18821',
      email: 'Ann@Example.com',
      company: { id: undefined, uid: '931', custom: { plan: 'pro' } },
      custom: { user_role: 'admin' },
    });
  });

  it('cannot set reserved keys', () => {
    const properties = { id: 'x', uid: 'y', email: 'z', percent: 1, delivery_ids: [], created_at: 1, account_id: 'a' };
    expect(toVisitProfileItem(sent({ properties }), [], 0).custom).toEqual({});
  });

  it('report the path of a problem', () => {
    expect(problemsOf({ properties: { name: 'a\0b' } })).toEqual([expect.stringContaining('`properties.name`')]);
    expect(problemsOf({ company: {} })).toEqual([expect.stringContaining('`company.uid` is required')]);
  });
});

describe('readUidHash', () => {
  const digest = 'ab'.repeat(32);
  const seconds = NOW / 1000;
  const readAt = (at: number, uid = '18821') => readUidHash(`${digest}-${at}`, uid, NOW);

  it('reads a digest of the uid and the time, followed by the time', () => {
    expect(readAt(seconds)).toEqual({ digest, signed: `18821-${seconds}` });
    expect(readAt(seconds, 'a-b')?.signed).toBe(`a-b-${seconds}`);
  });

  it('accepts a hash for 24 hours, and from clocks that are 5 minutes ahead', () => {
    const day = 24 * 60 * 60;
    expect([readAt(seconds - day), readAt(seconds + 300)]).not.toContain(undefined);
    expect([readAt(seconds - day - 1), readAt(seconds + 301), readAt(0)]).toEqual(Array(3).fill(undefined));
  });

  it('rejects any other format', () => {
    const others = [undefined, null, '', digest, `${digest}-`, `-${seconds}`, `${digest.slice(1)}-${seconds}`];
    const more = [`${digest}-${seconds}-1`, `${digest}-1e9`, `${'zz'.repeat(32)}-${seconds}`, `${digest}-${seconds}.5`];
    for (const other of [...others, ...more]) expect([other, readUidHash(other, 'u', NOW)]).toEqual([other, undefined]);
  });
});
