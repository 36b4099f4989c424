import type { ColumnTypes } from './migration.ts';

/** The pictures of an account, and their files in pieces, which can be read and sent one after the other. */
export function pictures({ id, time, bytes }: ColumnTypes): string[] {
  return [
    `create table pictures (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      hash ${id} not null,
      name text not null,
      type text not null,
      width integer not null,
      height integer not null,
      size integer not null,
      size_2x integer,
      unused_at ${time},
      primary key (account_id, id)
    )`,
    'create unique index pictures_by_hash on pictures (account_id, hash)',
    `create table picture_pieces (
      account_id ${id} not null,
      hash ${id} not null,
      scale integer not null,
      position integer not null,
      bytes ${bytes} not null,
      primary key (account_id, hash, scale, position)
    )`,
  ];
}
