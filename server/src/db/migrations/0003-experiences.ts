import type { ColumnTypes } from './migration.ts';

/** Times that are in a document as well are columns too, where lists and page loads ask for them. */
export function experiences({ id, time, json }: ColumnTypes): string[] {
  return [
    'alter table accounts add column allow_scripts boolean not null default false',
    `create table experiences (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      kind text not null,
      draft ${json} not null,
      captures ${json} not null,
      version_id ${id},
      published_at ${time},
      next_version_id ${id},
      next_published_at ${time},
      published_until ${time},
      archived_at ${time},
      primary key (account_id, id)
    )`,
    'create index experiences_by_kind on experiences (account_id, kind, id)',
    `create table versions (
      account_id ${id} not null,
      id ${id} not null,
      experience_id ${id} not null,
      change_id ${id} not null,
      admin_id ${id} not null,
      published_at ${time} not null,
      content ${json} not null,
      primary key (account_id, id)
    )`,
    'create index versions_by_experience on versions (account_id, experience_id, id)',
    `create table languages (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      code ${id} not null,
      primary key (account_id, id),
      unique (account_id, code)
    )`,
    `create table translations (
      account_id ${id} not null,
      experience_id ${id} not null,
      language ${id} not null,
      texts ${json} not null,
      primary key (account_id, experience_id, language)
    )`,
    `create table tags (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      uid ${id} not null,
      name text not null,
      primary key (account_id, id),
      unique (account_id, uid)
    )`,
    `create table changes (
      account_id ${id} not null,
      id ${id} not null,
      write_id ${id} not null,
      experience_id ${id} not null,
      model_id ${id} not null,
      model_type text not null,
      kind text not null,
      op text not null,
      path text not null,
      object ${json} not null,
      options ${json} not null,
      admin_id ${id} not null,
      primary key (account_id, id)
    )`,
    'create index changes_by_experience on changes (account_id, experience_id, id)',
    `create index changes_of_others on changes (account_id, id) where kind = 'related'`,
    `create table change_properties (
      account_id ${id} not null,
      property ${id} not null,
      change_id ${id} not null,
      experience_id ${id} not null,
      primary key (account_id, property, change_id)
    )`,
    'create index change_properties_by_experience on change_properties (account_id, experience_id, property, change_id)',
    `create table captures (
      account_id ${id} not null,
      id ${id} not null,
      experience_id ${id} not null,
      model_id ${id} not null,
      look ${json} not null,
      primary key (account_id, id)
    )`,
  ];
}
