import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/**
 * The functions and catalogs of Citus that the server uses, in a plain PostgreSQL, because Citus cannot be installed
 * from a package. The functions move no rows, and reject the same statements as Citus.
 */
const standIn = `
  create schema citus;
  create schema usher;

  create table citus.pg_dist_partition (logicalrelid regclass primary key, partmethod "char", repmodel "char");
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    select 99999, 'citus', oid, 'citus'::regnamespace, false, '12.1' from pg_roles where rolname = current_user;

  create view citus.distributed as select logicalrelid as oid from citus.pg_dist_partition where partmethod = 'h';

  create function citus.problem() returns text language sql as $$
    select problem from (
      select format('the foreign key %s, because both tables have to be distributed, or none', k.conname) as problem
      from pg_constraint k
      where k.contype = 'f' and (k.confrelid in (select oid from citus.distributed)
        or k.conrelid in (select oid from citus.distributed)
          and k.confrelid not in (select logicalrelid from citus.pg_dist_partition))
        and not (k.conrelid in (select oid from citus.distributed) and k.confrelid in (select oid from citus.distributed))
      union all
      select format('the foreign key %s, because it is without the account', k.conname)
      from pg_constraint k
      where k.contype = 'f' and k.conrelid in (select oid from citus.distributed)
        and k.confrelid in (select oid from citus.distributed) and not exists (
          select from unnest(k.conkey, k.confkey) as c (own, other)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.own and a.attname = 'account_id'
          join pg_attribute b on b.attrelid = k.confrelid and b.attnum = c.other and b.attname = 'account_id')
      union all
      select format('the unique index %s, because it is without the account', i.indexrelid::regclass)
      from pg_index i
      where i.indisunique and i.indrelid in (select oid from citus.distributed) and not exists (
        select from pg_attribute a
        where a.attrelid = i.indrelid and a.attnum = any (i.indkey) and a.attname = 'account_id')
      union all
      select format('the trigger %s', t.tgname) from pg_trigger t
      where not t.tgisinternal and t.tgrelid in (select oid from citus.distributed)
      union all
      select format('the rule %s', r.rulename) from pg_rewrite r where r.ev_class in (select oid from citus.distributed)
      union all
      select format('the table %s without the column account_id', d.oid) from citus.distributed d
      where not exists (
        select from pg_attribute a where a.attrelid = d.oid and a.attname = 'account_id' and not a.attisdropped)
    ) as problems limit 1
  $$;

  create function citus.check() returns event_trigger language plpgsql as $$
  declare problem text := citus.problem();
  begin
    if problem is not null then raise exception 'Citus rejects %', problem; end if;
    if tg_tag = 'ALTER TABLE' and current_query() ~* '\\yadd column\\y.*\\y(unique|check|primary key|references)\\y'
        and exists (select from pg_event_trigger_ddl_commands() where objid in (select oid from citus.distributed)) then
      raise exception 'Citus rejects a new column with a constraint';
    end if;
  end $$;
  create event trigger citus_check on ddl_command_end execute function citus.check();

  create function citus.create_distributed_table(wanted regclass, distribution_column text, colocate_with text default 'default') returns void
  language plpgsql as $$
  begin
    if exists (select from pg_constraint where contype = 'f' and conrelid = wanted) then
      raise exception 'Citus rejects the foreign keys of %, because it is not distributed yet', wanted;
    end if;
    insert into citus.pg_dist_partition values (wanted, 'h', 's');
    if citus.problem() is not null then raise exception 'Citus rejects %', citus.problem(); end if;
  end $$;

  create function citus.undistribute_table(wanted regclass, cascade_via_foreign_keys boolean) returns void
  language plpgsql as $$
  declare connected regclass[];
  begin
    with recursive reached as (
      select wanted as oid
      union
      select case when k.conrelid = r.oid then k.confrelid else k.conrelid end::regclass
      from reached r join pg_constraint k on k.contype = 'f' and r.oid in (k.conrelid, k.confrelid)
    ) select array_agg(oid) into connected from reached;
    if exists (select from citus.distributed where oid = any (connected)) then
      raise exception '% would bring back distributed tables', wanted;
    end if;
    delete from citus.pg_dist_partition where logicalrelid = any (connected);
  end $$;
`;

/**
 * Two workers. An account is on the first one, unless it was moved. The rows of an account on a lost worker cannot be read or
 * written: the policies are for all but superusers, so the server uses a role of its own.
 */
const workers = `
  create table citus.moved_accounts (id text primary key);
  create table citus.lost_workers (id integer primary key);
  create table citus.pg_dist_node (nodeid, groupid, nodename, nodeport, noderole, isactive, shouldhaveshards) as values
    (1, 0, 'coordinator', 5432, 'primary', true, false),
    (2, 1, 'worker-1', 5432, 'primary', true, true),
    (3, 2, 'worker-2', 5432, 'primary', true, true);
  create view citus.pg_dist_shard as
    select logicalrelid, logicalrelid::oid::bigint * 10 + n as shardid, n::text as shardminvalue
    from citus.pg_dist_partition, generate_series(1, 2) as n where partmethod = 'h';
  create view citus.pg_dist_placement as select shardid, (shardid % 10)::integer as groupid from citus.pg_dist_shard;

  create function citus.worker_of(account text) returns integer stable language sql security definer as $$
    select case when exists (select from citus.moved_accounts where id = account) then 2 else 1 end
  $$;
  create function citus.shard_name(wanted regclass, shard bigint) returns text language sql as $$
    select format('(select * from %s where citus.worker_of(account_id) = %s)', wanted, shard % 10)
  $$;
  create function citus.is_reached(account text) returns boolean stable language plpgsql security definer as $$
  begin
    if exists (select from citus.lost_workers where id = citus.worker_of(account)) then
      raise exception 'connection to the remote node failed' using errcode = '08006';
    end if;
    return true;
  end $$;
  create function citus.master_run_on_worker(names text[], ports integer[], commands text[], parallel boolean)
  returns table (node_name text, node_port integer, success boolean, result text) language plpgsql security definer as $$
  begin
    for n in 1 .. cardinality(names) loop
      node_name := names[n];
      node_port := ports[n];
      success := not exists (
        select from citus.lost_workers l join citus.pg_dist_node d on d.groupid = l.id where d.nodename = names[n]);
      result := 'failed to connect';
      if success then execute commands[n] into result; end if;
      return next;
    end loop;
  end $$;
`;

/** Lets a role use the migrated tables, as far as the workers of the rows are available. */
const role = (name: string) => `
  create role ${name} login;
  grant all on schema usher, citus to ${name};
  grant all on all tables in schema usher, citus to ${name};
  do $$ declare wanted regclass; begin
    for wanted in select oid from citus.distributed loop
      execute format('alter table %s enable row level security', wanted);
      execute format('create policy reached on %s using (citus.is_reached(account_id))', wanted);
    end loop;
  end $$;
`;

export interface StandIn {
  url: string;
  /** Runs statements as the owner of everything. */
  run<Row extends object>(text: string): Promise<Row[]>;
  /** Call it after the migrations. Returns the address for a server that notices when workers are lost. */
  addWorkers(): Promise<string>;
}

/** Creates a database that looks as if it had Citus, for one test. Usher's tables are in the schema `usher`. */
export async function createCitusStandIn(): Promise<StandIn> {
  const name = `usher_${randomBytes(8).toString('hex')}`;
  const server = await open(inject('postgresUrl'));
  await server.query(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  url.searchParams.set('options', '-c search_path=usher,citus');
  const client = await open(url.href);
  await client.query(standIn);
  let roles = '';
  onTestFinished(async () => {
    await client.end();
    await server.query(`drop database ${name} with (force)`);
    await server.query(roles);
    await server.end();
  });
  return {
    url: url.href,
    run: async (text) => (await client.query(text)).rows,
    addWorkers: async () => {
      await client.query(workers);
      await client.query(role(name));
      roles = `drop role ${name}`;
      const ofRole = new URL(url);
      ofRole.username = name;
      return ofRole.href;
    },
  };
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
