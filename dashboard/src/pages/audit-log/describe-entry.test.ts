import { auditActions } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { auditActionNames } from '../../messages/en/audit-sentences.ts';
import { describeDetail, describeEntry, describeVia, type Entry } from './describe-entry.ts';

const entry = (params: Partial<Entry>): Entry => ({
  id: '1',
  created_at: '2026-01-01T00:00:00.000Z',
  action: 'session.create',
  target_type: null,
  target_id: null,
  target_name: null,
  details: {},
  network: null,
  secret_id: null,
  user: { id: '2', name: 'Ann Lee', email: 'ann@people.test' },
  ...params,
});
const sentenceOf = (params: Partial<Entry>) => {
  const { subject, rest } = describeEntry(entry(params));
  return `${subject} ${rest}`;
};

describe.each(auditActions)('the action %s', (action) => {
  it('has a sentence, also without details', () => {
    const { subject, rest } = describeEntry(entry({ action }));
    expect(`${subject} ${rest}`).not.toContain(action);
    expect(`${subject} ${rest}`).not.toMatch(/null|\[object/);
  });

  it('has a name in the filter', () => {
    expect(auditActionNames[action]).toMatch(/^[A-Z]/);
  });
});

it.each<[Partial<Entry>, string]>([
  [{ action: 'session.create' }, 'Ann Lee signed in'],
  [
    { action: 'admin.update', target_name: 'Bo', details: { role: ['viewer', 'editor'] } },
    'Ann Lee changed the role of Bo from viewer to editor',
  ],
  [
    { action: 'admin.create', target_name: 'Bo', user: null, details: { role: 'viewer', invitation_id: 'x' } },
    'Bo joined by an invitation as viewer',
  ],
  [
    { action: 'secret.create', details: { name: 'Export', scope: 'read' } },
    'Ann Lee created the API secret “Export” (reads)',
  ],
  [
    { action: 'account.update', details: { name: ['A', 'B'], who_may_publish: ['editors', 'owners'] } },
    'Ann Lee changed in the settings: the name and who may publish',
  ],
  [
    { action: 'experience.publish', target_type: 'tour', target_name: 'Welcome' },
    'Ann Lee published the tour “Welcome”',
  ],
  [{ action: 'experience.unpublish', target_type: 'embed' }, 'Ann Lee unpublished an embed'],
  [
    { action: 'session.reject', user: null, target_name: 'Bo', details: { count: 3 } },
    'Somebody tried 3 wrong passwords for Bo',
  ],
  [{ action: 'sample_data.load', user: null }, 'Command line loaded the sample data'],
  [{ action: 'later.invented' as Entry['action'] }, 'Ann Lee did later.invented'],
])('describes %j', (params, sentence) => {
  expect(sentenceOf(params)).toBe(sentence);
});

it('says how somebody did it', () => {
  const names = new Map([['s1', 'Export']]);
  expect(describeVia(entry({}), names)).toBe('Dashboard');
  expect(describeVia(entry({ secret_id: 's1' }), names)).toBe('Secret “Export”');
  expect(describeVia(entry({ secret_id: 's2' }), names)).toBe('Revoked secret');
  expect(describeVia(entry({ user: null }), names)).toBe('Command line');
});

it('shows a change as the old and the new value', () => {
  expect(describeDetail([null, true])).toBe('none → true');
  expect(describeDetail('x')).toBe('x');
  expect(describeDetail(['a', 'b', 'c'])).toBe('["a","b","c"]');
});
