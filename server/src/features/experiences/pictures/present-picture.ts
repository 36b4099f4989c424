import { formatPicturePath, type Picture, pictureTypes, timeOfId, toTimestamp } from '@usher/domain';
import type { PictureRow } from '../picture-files/store-picture.ts';

export function presentPicture(row: PictureRow): Picture {
  const { id, updated_at, name, type, width, height, size, size_2x, unused_at } = row;
  return {
    ...{ id, created_at: toTimestamp(timeOfId(id)), updated_at: toTimestamp(updated_at) },
    ...{ name, path: pathOf(row), type: pictureTypes[type], width, height, size: size + (size_2x ?? 0) },
    unused_at: unused_at === null ? null : toTimestamp(unused_at),
  };
}

export function pathOf({ account_id: accountId, hash, width, height, size_2x, type }: PictureRow): string {
  return formatPicturePath({ accountId, hash, width, height, type, scale: size_2x === null ? 1 : 2 });
}
