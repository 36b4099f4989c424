import { expect, it } from 'vitest';
import { describeAudience } from './describe-audience.ts';
import type { Document } from './experience.ts';

const base = { kind: 'tour', style: 'auto', repeat_days: null, segments_op: 'or', steps: [] } as unknown as Document;
const facts = { people: '1 person', segments: [], excluded: [], environments: [] };
const page = (url: string, match_type = 'simple') => ({ url, match_type }) as never;

it('says in one sentence to whom, where and how often it shows', () => {
  expect(describeAudience(base, [page('/demo/team')], facts)).toBe(
    'Shows to 1 person on /demo/team in all Environments, once.',
  );
});

it('names Segments, Environments and pages, and counts the rest', () => {
  const names = {
    people: '42 people',
    segments: ['“Admins”', '“Pro”', '“New”', '“Old”'],
    excluded: ['“Test”'],
    environments: ['Staging', 'Production'],
  };
  const rules = [page('https://app.test/a'), page('/b'), page('/c', 'inverse_simple')];
  expect(describeAudience({ ...base, repeat_days: 30 }, rules, names)).toBe(
    'Shows to 42 people in “Admins”, “Pro” or 2 more who are not in “Test” on app.test/a or /b, except /c, in Staging and Production, again after 30 days.',
  );
});

it('says after which event it starts', () => {
  const steps = [{ step_trigger: 'event', trigger_event: { name: 'invite_sent' } }];
  expect(describeAudience({ ...base, steps } as unknown as Document, [page('/team')], facts)).toBe(
    'Shows to 1 person on /team in all Environments, after the event “invite_sent”, once.',
  );
});

it('says what needs no rule', () => {
  const manual = { ...base, style: 'manual' } as Document;
  expect(describeAudience(manual, [], { ...facts, people: undefined })).toBe(
    'Shows to everybody on every page in all Environments, when something starts it.',
  );
  const lasting = { ...base, kind: 'launcher' } as Document;
  expect(describeAudience(lasting, [page('/x', 'inverse_exact')], facts)).toBe(
    'Shows to 1 person on every page except /x in all Environments.',
  );
});
