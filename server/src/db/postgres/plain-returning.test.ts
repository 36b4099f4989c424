import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { startApi } from '../../../test/api.ts';

describe.runIf(inject('engine') === 'postgres')('RETURNING on PostgreSQL', () => {
  async function start() {
    const { app, account } = await startApi();
    const id = account.account_id;
    return { db: app.storage.reader(id), id };
  }

  it('returns columns, also of a common table expression that others compute with', async () => {
    const { db, id } = await start();
    const update = db.updateTable('tags').set({ name: 'New' }).where('account_id', '=', id);
    expect(await update.returning(['id', 'tags.name']).execute()).toEqual([]);
    expect(await update.returningAll().execute()).toEqual([]);
    const computed = db
      .with('changed', () => update.returning('name'))
      .selectFrom('changed')
      .select((eb) => eb.fn<string>('lower', ['changed.name']).as('name'));
    expect(await computed.execute()).toEqual([]);
  });

  it('is rejected if it computes something, which Citus does not support', async () => {
    const { db, id } = await start();
    const update = db.updateTable('tags').set({ name: 'New' }).where('account_id', '=', id);
    const wrong = [
      () => update.returning((eb) => eb.fn<string>('lower', ['tags.name']).as('name')).execute(),
      () => update.returning(sql<string>`lower(name)`.as('name')).execute(),
      () =>
        db
          .with('changed', (cte) =>
            cte
              .updateTable('tags')
              .set({ name: 'New' })
              .where('account_id', '=', id)
              .returning(sql<string>`json_build_array(name)::text`.as('name')),
          )
          .selectFrom('changed')
          .selectAll()
          .execute(),
    ];
    for (const run of wrong) await expect(run).rejects.toThrow('RETURNING may have columns only');
    const text = sql`update tags set name = 'New' where account_id = ${id} returning lower(name)`;
    await expect(text.execute(db)).rejects.toThrow('RETURNING may have columns only');
  });
});
