import { describe, expect, it } from 'vitest';
import { type EventInput, toEventItem } from './event.ts';

const id = 'a'.repeat(24);

function read(input: object) {
  const problems: string[] = [];
  return { item: toEventItem({ uid: '7', name: 'Opened', ...input } as EventInput, problems, 0), problems };
}

describe('toEventItem', () => {
  it('separates the profile, the name and the properties', () => {
    const { item, problems } = read({ id, uid: '007', name: 'Report Exported', fileSize: '12', 'Is Draft': 'false' });
    expect(item).toEqual({
      profile: { id, uid: '007' },
      name: 'report_exported',
      custom: { file_size: 12, is_draft: false },
    });
    expect(problems).toEqual([]);
  });

  it.each(['Report Exported', 'reportExported', 'report-exported', ' REPORT  exported! ', 'report_exported'])(
    'normalizes the name %j',
    (name) => {
      expect(read({ name }).item.name).toBe('report_exported');
    },
  );

  it.each(['!?', '😀', '-'])('rejects the name %j', (name) => {
    expect(read({ name }).problems).toEqual(['`name` must have a letter or a digit in it']);
  });

  it('requires an id or a uid', () => {
    expect(read({ uid: undefined }).problems).toEqual([
      '`uid` is required: give the ID that your product has for the user, or our `id` of the profile',
    ]);
    expect(read({ uid: undefined, id }).problems).toEqual([]);
  });

  it.each(['Id', 'UID', 'Name', 'createdAt', 'updated_at', 'accountId', 'account_secret'])(
    'does not accept %s as a property',
    (name) => {
      expect(read({ [name]: 'x' }).item.custom).toEqual({});
    },
  );

  it('reports the problem of a property', () => {
    expect(read({ title: 'a\0' }).problems).toEqual([expect.stringContaining('`title` must')]);
  });
});
