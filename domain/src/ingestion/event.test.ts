import { describe, expect, it } from 'vitest';
import { type BatchEventInput, type EventInput, toBatchEventItem, toEventItem } from './event.ts';

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
      sentName: 'Report Exported',
      custom: { file_size: 12, is_draft: false },
      text: '{"file_size":12,"is_draft":false}',
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

  it.each(['Id', 'UID', 'Name', 'createdAt', 'updated_at', 'accountId', 'account_secret', 'idempotency_key'])(
    'does not accept %s as a property',
    (name) => {
      expect(read({ [name]: 'x' }).item.custom).toEqual({});
    },
  );

  it('reports the problem of a property', () => {
    expect(read({ title: 'a\0' }).problems).toEqual([expect.stringContaining('`title` must')]);
  });
});

describe('toBatchEventItem', () => {
  const DAY = 24 * 60 * 60_000;
  const now = 400 * DAY;
  const readAt = (occurred_at: number | undefined) => {
    const problems: string[] = [];
    const input = { uid: '7', name: 'Opened', occurred_at, idempotency_key: 'a' } as BatchEventInput;
    return { item: toBatchEventItem(input, problems, now), problems };
  };

  it('keeps the time and the key apart from the properties', () => {
    const { item, problems } = readAt(now - 1000);
    expect(item).toMatchObject({ at: now - 1000, idempotency_key: 'a', custom: {} });
    expect(problems).toEqual([]);
  });

  it('has no time without `occurred_at`', () => {
    expect(readAt(undefined).item.at).toBeUndefined();
  });

  it.each([
    ['365 days ago', now - 365 * DAY, now - 365 * DAY],
    ['now for a clock that is a minute ahead', now + 60_000, now],
  ])('accepts %s', (_what, sent, at) => {
    expect(readAt(sent)).toMatchObject({ item: { at }, problems: [] });
  });

  it.each([now - 365 * DAY - 1, now + 60_001])('rejects other times: %d', (sent) => {
    expect(readAt(sent).problems).toEqual(['`occurred_at` must be a time of the last 365 days']);
  });
});
