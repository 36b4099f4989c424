import { type Expression, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/engine.ts';
import { type CreatedAccount, createAccount } from '../features/team/accounts/create-account.ts';
import { createLog } from '../log/log.ts';
import { openAppContext } from '../serve.ts';
import { readSettings } from '../settings/settings.ts';
import type { Db, Storage } from './storage.ts';

type Attempt = (db: Db, me: string, other: string) => { execute(): Promise<unknown> };

const row = { id: 'new', updated_at: 1, name: 'New' };

/** Queries that must not reach the database, although most of them are valid SQL. */
const rejected: Record<string, Attempt> = {
  'selecting without the account': (db) => db.selectFrom('urls').selectAll(),
  'selecting by id alone': (db) => db.selectFrom('urls').selectAll().where('id', '=', 'x'),
  'selecting under another account': (db, _me, other) =>
    db.selectFrom('urls').selectAll().where('account_id', '=', other),
  'selecting with a comparison that is not =': (db, me) =>
    db.selectFrom('urls').selectAll().where('account_id', '!=', me),
  'selecting with a list of accounts': (db, me, other) =>
    db.selectFrom('urls').selectAll().where('account_id', 'in', [me, other]),
  'selecting with the account negated': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where(({ not, eb }) => not(eb('account_id', '=', me))),
  'selecting with the account beside an OR': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where((eb) => eb.or([eb('account_id', '=', me), eb('id', '=', 'x')])),
  'selecting with the account inside one branch of an OR': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where((eb) => eb('id', '=', 'x').or(eb.and([eb('account_id', '=', me), eb('host', '=', 'y')]))),
  'selecting with the account only in HAVING': (db, me) =>
    db.selectFrom('urls').select('account_id').groupBy('account_id').having('account_id', '=', me),
  'selecting with the account under another column': (db, me) => db.selectFrom('urls').selectAll().where('id', '=', me),
  'selecting under an alias without the account': (db) =>
    db.selectFrom('urls as u').selectAll().where('u.id', '=', 'x'),
  'selecting with the account compared to itself': (db) =>
    db.selectFrom('urls').selectAll().whereRef('account_id', '=', 'account_id'),
  'selecting from a table in a schema': (db) => db.withSchema('main').selectFrom('urls').selectAll(),
  'selecting from a table named at run time': (db) =>
    db.selectFrom(db.dynamic.table('urls').as('u')).select(sql<string>`id`.as('id')),
  'selecting two tables with the account for one': (db, me) =>
    db.selectFrom(['urls', 'properties']).select('urls.id').where('urls.account_id', '=', me),
  'counting without the account': (db) => db.selectFrom('urls').select((eb) => eb.fn.countAll().as('count')),
  'locking without the account': (db) => db.selectFrom('urls').select('id').where('id', '=', 'x').forUpdate(),

  'joining by id alone': (db, me) =>
    db
      .selectFrom('urls')
      .innerJoin('url_groups', 'url_groups.id', 'urls.url_group_id')
      .select('urls.id')
      .where('urls.account_id', '=', me),
  'joining with the account for the other table only': (db, me) =>
    db
      .selectFrom('urls')
      .innerJoin('url_groups', (join) =>
        join.onRef('url_groups.id', '=', 'urls.url_group_id').on('urls.account_id', '=', me),
      )
      .select('urls.id')
      .where('urls.account_id', '=', me),
  'joining a table to itself with the account for one': (db, me) =>
    db
      .selectFrom('urls as a')
      .innerJoin('urls as b', (join) => join.onRef('b.id', '=', 'a.id').on('a.account_id', '=', me))
      .select('b.id')
      .where('a.account_id', '=', me),
  'joining on an account_id that is not bound': (db) =>
    db.selectFrom('secrets').innerJoin('urls', 'urls.account_id', 'secrets.account_id').select('urls.id'),
  'joining on an account_id compared to itself': (db, me) =>
    db
      .selectFrom('urls as a')
      .innerJoin('urls as b', 'b.account_id', 'b.account_id')
      .select('b.id')
      .where('a.account_id', '=', me),
  'joining on an account_id and another column': (db, me) =>
    db
      .selectFrom('urls as a')
      .innerJoin('urls as b', 'b.account_id', 'a.id')
      .select('b.id')
      .where('a.account_id', '=', me),
  'joining under another account': (db, me, other) =>
    db
      .selectFrom('urls as a')
      .innerJoin('urls as b', (join) => join.on('b.account_id', '=', other))
      .select('b.id')
      .where('a.account_id', '=', me),
  'joining with the account in an OR': (db, me) =>
    db
      .selectFrom('urls as a')
      .innerJoin('urls as b', (join) => join.on((eb) => eb.or([eb('b.account_id', '=', me), eb('b.id', '=', 'x')])))
      .select('b.id')
      .where('a.account_id', '=', me),
  'a left join by id alone': (db, me) =>
    db
      .selectFrom('urls')
      .leftJoin('url_groups', 'url_groups.id', 'urls.url_group_id')
      .select('urls.id')
      .where('urls.account_id', '=', me),
  'a right join with the account in ON': (db, me) =>
    db
      .selectFrom('accounts')
      .rightJoin('urls', (join) => join.on('urls.account_id', '=', me))
      .select('urls.id'),
  'a full join with the account in ON': (db, me) =>
    db
      .selectFrom('accounts')
      .fullJoin('urls', (join) => join.on('urls.account_id', '=', me))
      .select('urls.id'),
  'a cross join without the account': (db) => db.selectFrom('accounts').crossJoin('urls').select('urls.id'),
  'joining a global table to a tenant table without the account': (db) =>
    db.selectFrom('accounts').innerJoin('urls', 'urls.account_id', 'accounts.id').select('urls.id'),

  'a sub-select in a list of IDs': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where('account_id', '=', me)
      .where('url_group_id', 'in', (eb) => eb.selectFrom('url_groups').select('id')),
  'a sub-select in EXISTS': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where('account_id', '=', me)
      .where(({ exists, selectFrom }) => exists(selectFrom('url_groups').select('id').where('id', '=', 'x'))),
  'a sub-select bound only through the outer query': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where('urls.account_id', '=', me)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('url_groups').select('id').whereRef('url_groups.id', '=', 'urls.url_group_id')),
      ),
  'a sub-select among the columns': (db) =>
    db.selectFrom('accounts').select((eb) => eb.selectFrom('urls').select('id').limit(1).as('one')),
  'a sub-select without a FROM around it': (db) =>
    db.selectNoFrom((eb) => eb.selectFrom('urls').select('id').limit(1).as('one')),
  'a sub-select as a table': (db) =>
    db.selectFrom((eb) => eb.selectFrom('urls').select('id').as('hidden')).select('hidden.id'),
  'a sub-select in a join': (db) =>
    db
      .selectFrom('accounts')
      .innerJoin(
        (eb) => eb.selectFrom('urls').select(['id', 'account_id']).as('hidden'),
        (join) => join.onRef('hidden.account_id', '=', 'accounts.id'),
      )
      .select('hidden.id'),
  'a lateral sub-select': (db) =>
    db
      .selectFrom('accounts')
      .innerJoinLateral(
        (eb) => eb.selectFrom('urls').select('id').as('hidden'),
        (join) => join.onTrue(),
      )
      .select('hidden.id'),
  'a sub-select in ORDER BY': (db, me) =>
    db
      .selectFrom('urls')
      .select('id')
      .where('account_id', '=', me)
      .orderBy((eb) => eb.selectFrom('properties').select('id').limit(1)),
  'a sub-select in CASE': (db, me) =>
    db
      .selectFrom('urls')
      .select((eb) =>
        eb
          .case()
          .when('id', '=', 'x')
          .then(eb.selectFrom('properties').select('id').limit(1))
          .else(null)
          .end()
          .as('one'),
      )
      .where('account_id', '=', me),
  'a sub-select in a function': (db) =>
    db
      .selectFrom('accounts')
      .select((eb) => eb.fn.coalesce(eb.selectFrom('urls').select('id').limit(1), sql.lit('none')).as('one')),
  'the second half of a UNION': (db, me) =>
    db.selectFrom('urls').select('id').where('account_id', '=', me).unionAll(db.selectFrom('urls').select('id')),
  'a common table expression without the account': (db) =>
    db
      .with('hidden', (cte) => cte.selectFrom('urls').select('id'))
      .selectFrom('hidden')
      .selectAll(),
  'a tenant table beside a bound common table expression': (db, me) =>
    db
      .with('mine', (cte) => cte.selectFrom('urls').select('id').where('account_id', '=', me))
      .selectFrom('mine')
      .innerJoin('properties', 'properties.id', 'mine.id')
      .select('properties.id'),
  'a deleting common table expression': (db) =>
    db
      .with('gone', (cte) => cte.deleteFrom('urls').returning('id'))
      .selectFrom('gone')
      .selectAll(),
  'a recursive common table expression': (db) =>
    db
      .withRecursive('hidden', (cte) => cte.selectFrom('urls').select('id'))
      .selectFrom('hidden')
      .selectAll(),

  'updating without the account': (db) => db.updateTable('urls').set({ updated_at: 2 }),
  'updating by id alone': (db) => db.updateTable('urls').set({ updated_at: 2 }).where('id', '=', 'x'),
  'updating under another account': (db, _me, other) =>
    db.updateTable('urls').set({ updated_at: 2 }).where('account_id', '=', other),
  'updating from another tenant table without its account': (db, me) =>
    db
      .updateTable('urls')
      .from('url_groups')
      .set({ updated_at: 2 })
      .whereRef('url_groups.id', '=', 'urls.url_group_id')
      .where('urls.account_id', '=', me),
  'updating a global table from a tenant table': (db) =>
    db
      .updateTable('accounts')
      .from('urls')
      .set((eb) => ({ name: eb.ref('urls.host') }))
      .where('accounts.id', '=', 'x'),
  'updating with a sub-select as the value': (db, me) =>
    db
      .updateTable('urls')
      .set((eb) => ({ host: eb.selectFrom('urls').select('host').limit(1) }))
      .where('account_id', '=', me),
  'moving a row to another account': (db, me, other) =>
    db.updateTable('urls').set({ account_id: other }).where('account_id', '=', me),
  'moving a row by a column named in SQL': (db, me, other) =>
    db.updateTable('urls').set(sql.ref<string>('account_id'), other).where('account_id', '=', me),
  'returning a sub-select': (db, me) =>
    db
      .updateTable('urls')
      .set({ updated_at: 2 })
      .where('account_id', '=', me)
      .returning((eb) => eb.selectFrom('properties').select('id').limit(1).as('one')),

  'deleting without the account': (db) => db.deleteFrom('urls'),
  'deleting by id alone': (db) => db.deleteFrom('urls').where('id', '=', 'x'),
  'deleting under another account': (db, _me, other) => db.deleteFrom('urls').where('account_id', '=', other),
  'deleting with an OR': (db, me) =>
    db.deleteFrom('urls').where((eb) => eb.or([eb('account_id', '=', me), eb('account_id', '!=', me)])),
  'deleting by way of another tenant table without its account': (db, me) =>
    db
      .deleteFrom('urls')
      .using('url_groups')
      .whereRef('url_groups.id', '=', 'urls.url_group_id')
      .where('urls.account_id', '=', me),
  'deleting what a sub-select finds': (db, me) =>
    db
      .deleteFrom('urls')
      .where('account_id', '=', me)
      .where('id', 'in', (eb) => eb.selectFrom('properties').select('id')),

  'inserting without the account': (db) => db.insertInto('url_groups').values(row as never),
  'inserting under another account': (db, _me, other) =>
    db.insertInto('url_groups').values({ ...row, account_id: other }),
  'inserting rows when one belongs to another account': (db, me, other) =>
    db.insertInto('url_groups').values([
      { ...row, account_id: me },
      { ...row, id: 'newer', account_id: other },
    ]),
  'inserting rows when one has no account': (db, me) =>
    db.insertInto('url_groups').values([{ ...row, account_id: me }, { ...row, id: 'newer' } as never]),
  'inserting an account that SQL computes': (db, me) =>
    db.insertInto('url_groups').values({ ...row, account_id: sql<string>`lower(${me})` }),
  'inserting from a select': (db, me) =>
    db
      .insertInto('url_groups')
      .columns(['account_id', 'id', 'updated_at', 'name'])
      .expression((eb) =>
        eb.selectFrom('url_groups').select(['account_id', 'id', 'updated_at', 'name']).where('account_id', '=', me),
      ),
  'inserting from a select that gives another account': (db, _me, other) =>
    db
      .insertInto('url_groups')
      .columns(['account_id', 'id', 'updated_at', 'name'])
      .expression(
        db.selectNoFrom((eb) => [eb.val(other).as('a'), eb.val('n').as('b'), eb.val(1).as('c'), eb.val('n').as('d')]),
      ),
  'inserting from a select that gives the account in another place': (db, me, other) =>
    db
      .insertInto('url_groups')
      .columns(['id', 'account_id', 'updated_at', 'name'])
      .expression(
        db.selectNoFrom((eb) => [eb.val(other).as('a'), eb.val(me).as('b'), eb.val(1).as('c'), eb.val('n').as('d')]),
      ),
  'inserting from a union that gives another account': (db, me, other) => {
    const rowOf = (id: string) =>
      db.selectNoFrom((eb) => [eb.val(id).as('a'), eb.val('n').as('b'), eb.val(1).as('c'), eb.val('n').as('d')]);
    return db
      .insertInto('url_groups')
      .columns(['account_id', 'id', 'updated_at', 'name'])
      .expression(rowOf(me).unionAll(rowOf(other)));
  },
  'inserting from a select of a tenant table without the account': (db, me) =>
    db
      .insertInto('url_groups')
      .columns(['account_id', 'id', 'updated_at', 'name'])
      .expression(db.selectFrom('urls').select((eb) => [eb.val(me).as('a'), 'id', 'updated_at', 'host'])),
  'inserting defaults': (db) => db.insertInto('url_groups').defaultValues(),
  'inserting into a global table from a tenant table': (db) =>
    db
      .insertInto('accounts')
      .columns(['id', 'name', 'token', 'updated_at'])
      .expression((eb) => eb.selectFrom('urls').select(['id', 'host', 'domain', 'updated_at'])),
  'moving a row when an insert conflicts': (db, me, other) =>
    db
      .insertInto('url_groups')
      .values({ ...row, account_id: me })
      .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet({ account_id: other })),
  'a sub-select when an insert conflicts': (db, me) =>
    db
      .insertInto('url_groups')
      .values({ ...row, account_id: me })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'id'])
          .doUpdateSet((eb) => ({ name: eb.selectFrom('properties').select('name').limit(1) })),
      ),
  'replacing under another account': (db, _me, other) =>
    db.replaceInto('url_groups').values({ ...row, account_id: other }),
  'merging into a tenant table': (db, me) =>
    db
      .mergeInto('url_groups')
      .using('accounts', (join) => join.on('url_groups.account_id', '=', me))
      .whenMatched()
      .thenDelete(),
  'merging in a common table expression': (db) =>
    db
      .with(
        'gone',
        (cte) =>
          cte
            .mergeInto('url_groups')
            .using('accounts', 'accounts.id', 'url_groups.account_id')
            .whenMatched()
            .thenDelete() as never,
      )
      .selectFrom('accounts')
      .selectAll(),
  'dropping a table': (db) => db.schema.dropTable('urls'),
  'altering a table': (db) => db.schema.alterTable('urls').dropColumn('host'),

  'SQL that names a tenant table': (db) => raw(db, sql`select * from urls`),
  'SQL in capitals': (db) => raw(db, sql`SELECT * FROM URLS`),
  'SQL with a quoted name': (db) => raw(db, sql`select * from "urls"`),
  'SQL with the name of a schema': (db) => raw(db, sql`select * from main.urls`),
  'SQL with the account under another column': (db, me) => raw(db, sql`select * from urls where id = ${me}`),
  'SQL under another account': (db, _me, other) => raw(db, sql`select * from urls where account_id = ${other}`),
  'SQL under another account that has ours elsewhere': (db, me, other) =>
    raw(db, sql`select * from urls where account_id = ${other} and id <> ${me}`),
  'SQL with an OR': (db, me) => raw(db, sql`select * from urls where account_id = ${me} or 1 = 1`),
  'SQL that sets the account': (db, me) => raw(db, sql`update urls set account_id = ${me} where id = ${'x'}`),
  'SQL with two tables and one account': (db, me) =>
    raw(db, sql`select * from urls, properties where urls.account_id = ${me}`),
  'SQL with a table put in': (db) => raw(db, sql`select * from ${sql.table('urls')}`),
  'SQL with an identifier put in': (db) => raw(db, sql`select * from ${sql.id('urls')}`),
  'SQL with text put in': (db) => raw(db, sql`select * from ${sql.raw('urls')}`),
  'SQL with a query put in': (db) => raw(db, sql`select * from (${db.selectFrom('urls').selectAll()}) as hidden`),
  'SQL as a table': (db) => db.selectFrom(sql<{ id: string }>`urls`.as('hidden')).select('hidden.id'),
  'SQL as a condition': (db, me) => db.selectFrom('urls').selectAll().where(sql<boolean>`account_id = ${me}`),
  'SQL as a sub-select in a bound query': (db, me) =>
    db
      .selectFrom('urls')
      .select(sql<number>`(select count(*) from properties)`.as('count'))
      .where('account_id', '=', me),
};

/** Queries that must be allowed, and be valid on both engines. */
const allowed: Record<string, Attempt> = {
  'selecting with the account': (db, me) => db.selectFrom('urls').selectAll().where('account_id', '=', me),
  'selecting with the account among other conditions': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where('host', '=', 'x')
      .where((eb) => eb.and([eb('account_id', '=', me), eb.or([eb('id', '=', 'x'), eb('id', '=', 'y')])])),
  'selecting with the account first in the comparison': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where((eb) => eb(eb.val(me), '=', eb.ref('account_id'))),
  'selecting under an alias': (db, me) => db.selectFrom('urls as u').selectAll().where('u.account_id', '=', me),
  'selecting two tables, each with the account': (db, me) =>
    db
      .selectFrom(['urls', 'properties'])
      .select('urls.id')
      .where('urls.account_id', '=', me)
      .where('properties.account_id', '=', me),
  'joining with the account in ON': (db, me) =>
    db
      .selectFrom('urls')
      .leftJoin('url_groups', (join) =>
        join.onRef('url_groups.id', '=', 'urls.url_group_id').on('url_groups.account_id', '=', me),
      )
      .select(['urls.id', 'url_groups.name'])
      .where('urls.account_id', '=', me),
  'joining on the account_id of a bound table': (db, me) =>
    db
      .selectFrom('urls')
      .innerJoin('url_groups', (join) =>
        join.onRef('url_groups.id', '=', 'urls.url_group_id').onRef('url_groups.account_id', '=', 'urls.account_id'),
      )
      .select(['urls.id', 'url_groups.name'])
      .where('urls.account_id', '=', me),
  'a chain of account_ids that ends at the account': (db, me) =>
    db
      .selectFrom(['urls as c', 'urls as b', 'urls as a'])
      .select('c.id')
      .whereRef('c.account_id', '=', 'b.account_id')
      .whereRef('a.account_id', '=', 'b.account_id')
      .where('a.account_id', '=', me),
  'joining on the account_id of a bound global table': (db, me) =>
    db
      .selectFrom('secrets')
      .innerJoin('urls', 'urls.account_id', 'secrets.account_id')
      .select('urls.id')
      .where('secrets.account_id', '=', me),
  'a right join with the account in WHERE': (db, me) =>
    db
      .selectFrom('accounts')
      .rightJoin('urls', 'urls.account_id', 'accounts.id')
      .select('urls.id')
      .where('urls.account_id', '=', me),
  'a cross join with the account in WHERE': (db, me) =>
    db.selectFrom('accounts').crossJoin('urls').select('urls.id').where('urls.account_id', '=', me),
  'a bound sub-select in a list of IDs': (db, me) =>
    db
      .selectFrom('urls')
      .selectAll()
      .where('account_id', '=', me)
      .where('url_group_id', 'in', (eb) => eb.selectFrom('url_groups').select('id').where('account_id', '=', me)),
  'a bound common table expression': (db, me) =>
    db
      .with('mine', (cte) => cte.selectFrom('urls').select('id').where('account_id', '=', me))
      .selectFrom('mine')
      .selectAll(),
  'a UNION of two bound halves': (db, me) =>
    db
      .selectFrom('urls')
      .select('id')
      .where('account_id', '=', me)
      .unionAll(db.selectFrom('properties').select('id').where('account_id', '=', me)),
  'updating with the account': (db, me) =>
    db.updateTable('urls').set({ updated_at: 2 }).where('account_id', '=', me).where('id', '=', 'x'),
  'updating from another bound table': (db, me) =>
    db
      .updateTable('urls')
      .from('url_groups')
      .set({ updated_at: 2 })
      .whereRef('url_groups.id', '=', 'urls.url_group_id')
      .whereRef('url_groups.account_id', '=', 'urls.account_id')
      .where('urls.account_id', '=', me),
  'deleting with the account': (db, me) => db.deleteFrom('urls').where('account_id', '=', me).where('id', '=', 'x'),
  'inserting with the account': (db, me) => db.insertInto('url_groups').values({ ...row, id: 'one', account_id: me }),
  'inserting from a select that gives the account first': (db, me) =>
    db
      .insertInto('url_groups')
      .columns(['account_id', 'id', 'updated_at', 'name'])
      .expression(
        db
          .selectFrom('urls')
          .select((eb) => [eb.val(me).as('a'), 'id', 'updated_at', 'host'])
          .where('account_id', '=', me)
          .limit(0),
      ),
  'inserting several rows, some columns left out': (db, me) =>
    db.insertInto('url_groups').values([
      { ...row, id: 'two', account_id: me },
      { ...row, id: 'three', account_id: me, description: 'Third' },
    ]),
  'updating when an insert conflicts': (db, me) =>
    db
      .insertInto('url_groups')
      .values({ ...row, id: 'one', account_id: me })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'id']).doUpdateSet((eb) => ({ name: eb.ref('excluded.name') })),
      ),
  'SQL with the account': (db, me) => raw(db, sql`select id from urls where account_id = ${me} and host = ${'x'}`),
  'SQL with the account for each table': (db, me) =>
    raw(db, sql`select u.id from urls u join properties p on p.account_id = ${me} where u.account_id = ${me}`),
  'SQL with a table put in and the account': (db, me) =>
    raw(db, sql`select id from ${sql.table('urls')} where account_id = ${me}`),
  'SQL that names a column in a bound query': (db, me) =>
    db
      .selectFrom('urls')
      .select(sql<number>`coalesce(urls.last_seen_at, ${sql.ref('urls.updated_at')})`.as('seen'))
      .where('account_id', '=', me),
  'SQL on a global table': (db) => raw(db, sql`select id from accounts where name = 'x' or name = 'y'`),
};

function raw(db: Db, query: Expression<unknown> & { execute(db: Db): Promise<unknown> }) {
  return { execute: () => query.execute(db) };
}

describe('AccountGuard', () => {
  let database: TestDatabase;
  let storage: Storage;
  let me: CreatedAccount;
  let other: CreatedAccount;

  beforeAll(async () => {
    database = await createTestDatabase();
    const app = await openAppContext(readSettings(database.env), createLog('silent'));
    storage = app.storage;
    me = await createAccount(app, { name: 'Acme', email: 'ann@acme.test' });
    other = await createAccount(app, { name: 'Other', email: 'bob@other.test' });
    await storage.write(other.account_id, (db) =>
      db
        .insertInto('url_groups')
        .values({ ...row, account_id: other.account_id })
        .execute(),
    );
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  const attempt = (bound: string | null, query: Attempt) =>
    storage.write(bound, (db) => query(db, me.account_id, other.account_id).execute());

  it.each(Object.entries(rejected))('rejects %s', async (_title, query) => {
    await expect(attempt(me.account_id, query)).rejects.toThrow(
      /does not name its account|cannot be checked for its account|cannot change its account|RETURNING may have columns/,
    );
  });

  it.each(Object.entries(allowed))('allows %s', async (_title, query) => {
    await expect(attempt(me.account_id, query)).resolves.toBeDefined();
  });

  it.each(Object.entries(rejected))('rejects %s without an account too', async (_title, query) => {
    await expect(attempt(null, query)).rejects.toThrow(/its account|RETURNING may have columns/);
  });

  it.each(Object.entries(allowed).filter(([title]) => title !== 'SQL on a global table'))(
    'rejects %s without an account',
    async (_title, query) => {
      await expect(attempt(null, query)).rejects.toThrow(/does not name its account/);
    },
  );

  it('without an account, rejects a comparison of account_id with null', async () => {
    const query = storage
      .reader(null)
      .selectFrom('urls')
      .selectAll()
      .where('account_id', '=', null as never);
    await expect(query.execute()).rejects.toThrow('A query on urls does not name its account');
  });

  it('without an account, allows reads and writes of the global tables', async () => {
    const names = await storage.reader(null).selectFrom('accounts').select('name').orderBy('id').execute();
    expect(names).toEqual([{ name: 'Acme' }, { name: 'Other' }]);
    const admins = await storage
      .reader(null)
      .selectFrom('secrets')
      .innerJoin('admins', 'admins.id', 'secrets.admin_id')
      .innerJoin('people', 'people.id', 'admins.person_id')
      .select('people.email')
      .orderBy('people.email')
      .execute();
    expect(admins).toEqual([{ email: 'ann@acme.test' }, { email: 'bob@other.test' }]);
    const changed = await storage.write(null, (db) =>
      db
        .updateTable('accounts')
        .set({ updated_at: 5 })
        .where('id', '=', me.account_id)
        .returning('updated_at')
        .execute(),
    );
    expect(changed).toEqual([{ updated_at: 5 }]);
  });

  it('checks reads outside of a transaction too', async () => {
    await expect(storage.reader(me.account_id).selectFrom('urls').selectAll().execute()).rejects.toThrow(
      'A query on urls does not name its account: add account_id = <the account> for this table.',
    );
  });

  it('does not change rows of another account', async () => {
    const rows = await storage
      .reader(other.account_id)
      .selectFrom('url_groups')
      .select(['id', 'name', 'updated_at'])
      .where('account_id', '=', other.account_id)
      .execute();
    expect(rows).toEqual([row]);
  });
});
