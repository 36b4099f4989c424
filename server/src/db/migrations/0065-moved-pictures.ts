import type { ColumnTypes } from './migration.ts';

/** Where the pictures of moved Experiences are here, by a hash of their address in the other service. */
export function movedPictures({ id }: ColumnTypes): string[] {
  return [
    `create table moved_pictures (
      account_id ${id} not null,
      address_hash ${id} not null,
      path text not null,
      primary key (account_id, address_hash)
    )`,
  ];
}
