import { describe, expect, it } from 'vitest';
import { describeNews, formatNewsDay, hrefOfChange, hrefOfNews } from './describe-news.ts';

const nothing = {
  ...{ target: { type: 'tour' as const, id: 'a', name: 'Welcome tour' }, from: '2029-04-01', until: '2029-04-07' },
  ...{ measure: null, before: null, after: null, moment: null, since: null },
  ...{ count: null, comments_count: null, step: null },
};
const period = (value: number) => ({ from: '2029-04-01', until: '2029-04-07', value, people: 100 });
const changed = (measure: 'completion' | 'nps' | 'people', before: number, after: number) => ({
  ...{ ...nothing, type: 'changed' as const, measure },
  ...{ before: period(before), after: period(after) },
});

describe('news', () => {
  it('are sentences with numbers', () => {
    const at = '2029-04-03T12:00:00.000Z';
    const moment = { what: 'published' as const, at, change_id: 'b' };
    expect(describeNews({ ...changed('completion', 0.62, 0.31), moment })).toMatch(
      /^“Welcome tour”: completion fell from 62% to 31% after it was published on \w+/,
    );
    expect(describeNews(changed('nps', -4, 31))).toMatch(/^“Welcome tour”: the NPS rose from -4 to 31 since /);
    expect(describeNews(changed('people', 100, 1204))).toMatch(
      /^“Welcome tour”: 1,204 people saw it, up from 100 on such days since /,
    );
    expect(describeNews({ ...nothing, type: 'went_live', moment, count: 1 })).toMatch(/and 1 person has seen it\.$/);
    expect(describeNews({ ...nothing, type: 'went_live', moment, count: 1204 })).toMatch(
      /and 1,204 people have seen it\.$/,
    );
    const responses = (count: number, comments_count: number) =>
      describeNews({ ...nothing, type: 'responses', count, comments_count });
    expect(responses(34, 5)).toBe('“Welcome tour” has 34 new Responses, 5 with a comment.');
    expect(responses(1, 0)).toBe('“Welcome tour” has 1 new Response.');
    const step = { id: 's', index: 1 };
    expect(describeNews({ ...nothing, type: 'step_failing', since: at, count: 1, step })).toMatch(
      /^“Welcome tour”: step 2 does not show since .*: 1 person did not see it\.$/,
    );
  });

  it('lead to what they are about', () => {
    const moment = { what: 'segment' as const, at: '2029-04-03T12:00:00.000Z', change_id: 'b' };
    const entry = { ...changed('completion', 0.62, 0.31), moment };
    expect(hrefOfNews(entry)).toBe('/app/experiences/a/results?from=2029-04-01&until=2029-04-07');
    expect(hrefOfNews({ ...entry, type: 'responses' })).toContain('/responses?from=');
    expect(hrefOfNews({ ...entry, type: 'step_failing' })).toBe('/app/experiences/a');
    expect(hrefOfChange(entry)).toBe('/app/experiences/a/history?change=b');
    expect(hrefOfChange({ ...entry, moment: null })).toBe(undefined);
  });

  it('name a day of the last week by its weekday, in the language of the reader', () => {
    const now = Date.parse('2029-04-07T12:00:00Z');
    expect(formatNewsDay('2029-04-03', now, 'en')).toBe('Tuesday');
    expect(formatNewsDay('2029-04-03', now, 'de')).toBe('Dienstag');
    expect(formatNewsDay('2029-03-03', now, 'en')).toBe('Mar 3');
  });
});
