import { expect, it } from 'vitest';
import { startApi } from '../../../../test/api.ts';
import { findDeletions } from './find-deletions.ts';

it('finds the Deletion of a forgotten user by its uid', async () => {
  const api = await startApi();
  const { account_id } = api.account;
  expect(await findDeletions(api.app, account_id, 'ann')).toEqual([]);
  const forgotten: { deletion_id: string; deleted_at: string }[] = [];
  for (const round of [1, 2]) {
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', round });
    const before = api.app.now();
    const { body } = await api.send('DELETE', '/v3/edit/profiles/forget?uid=ann');
    const found = await findDeletions(api.app, account_id, 'ann');
    expect(found.map(({ deletion_id }) => deletion_id)).toEqual([
      ...forgotten.map(({ deletion_id }) => deletion_id),
      body.deletion.id,
    ]);
    const at = Date.parse(found.at(-1)?.deleted_at ?? '');
    expect(at >= before && at <= api.app.now()).toBe(true);
    forgotten.splice(0, forgotten.length, ...found);
  }
  expect(await findDeletions(api.app, account_id, 'bob')).toEqual([]);
  expect(await findDeletions(api.app, api.other.account_id, 'ann')).toEqual([]);
});
