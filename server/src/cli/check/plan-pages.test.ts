import type { QuantifierUrl } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import type { LiveStep } from './live-steps.ts';
import { MAX_PAGES_PER_STEP, planPages } from './plan-pages.ts';

const rule = (url: string, match_type: QuantifierUrl['match_type'] = 'simple') => ({ url, match_type });
const stepOn = (...urls: QuantifierUrl[]) => ({ urls }) as unknown as LiveStep;
const visits = (...paths: string[]) => paths.map((path) => ({ host: 'app.example.com', path }));
const pathsFor = (step: LiveStep, visited: ReturnType<typeof visits>, extra: string[] = []) =>
  planPages([step], visited, extra).pages.map(({ path }) => path);

describe('planPages', () => {
  it('opens the visited pages that a rule matches, the most visited first, on whatever host the rule is', () => {
    const visited = visits('/reports', '/team', '/reports/old');
    expect(pathsFor(stepOn(rule('/reports/*')), visited)).toEqual(['/reports', '/reports/old']);
    expect(pathsFor(stepOn(rule('https://app.example.com/team')), visited)).toEqual(['/team']);
    expect(pathsFor(stepOn(rule('^https://.+/team$', 'regex')), visited)).toEqual(['/team']);
    expect(pathsFor(stepOn(rule('/reports/old', 'inverse_simple')), visited)).toEqual(['/reports', '/team']);
  });

  it('opens all visited pages for a step on every page, up to a limit', () => {
    expect(pathsFor(stepOn(), visits('/b', '/a'))).toEqual(['/b', '/a']);
    const many = Array.from({ length: 50 }, (_, at) => `/page-${at}`);
    expect(pathsFor(stepOn(), visits(...many))).toEqual(many.slice(0, MAX_PAGES_PER_STEP));
  });

  it('opens the page that a rule names, also if it was never visited, with its query', () => {
    expect(pathsFor(stepOn(rule('https://other.example.com/new?tab=x')), [])).toEqual(['/new?tab=x']);
    expect(pathsFor(stepOn(rule('other.example.com')), [])).toEqual(['/']);
    expect(pathsFor(stepOn(rule('/new#/b', 'exact')), [])).toEqual(['/new#/b']);
    expect(pathsFor(stepOn(rule('/new'), rule('/new', 'inverse_simple')), [])).toEqual([]);
  });

  it('opens a path of the command line for the steps that it is a page of', () => {
    expect(pathsFor(stepOn(rule('app.example.com/users/*')), [], ['/users/7', '/other'])).toEqual(['/users/7']);
  });

  it('says why no page of a step can be opened', () => {
    const step = stepOn(rule('/users/*'));
    const reasonFor = (...paths: string[]) => planPages([step], visits(...paths), []).unreached.get(step);
    expect(reasonFor('/team')).toBe('users have visited no page of its rules: name one with --path');
    expect(reasonFor('/users/*/posts')).toBe('users visit pages such as /users/*/posts: name one with --path');
  });

  it('opens a page once for all of its steps', () => {
    const steps = [stepOn(), stepOn(rule('/team'))];
    expect(planPages(steps, visits('/home', '/team'), []).pages).toEqual([
      { path: '/home', steps: [steps[0]] },
      { path: '/team', steps },
    ]);
  });
});
