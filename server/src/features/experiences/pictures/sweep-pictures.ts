import { UNUSED_PICTURE_DAYS } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { forEachAccount } from '../../../db/for-each-account.ts';
import { picturesOf, removePicture } from '../picture-files/store-picture.ts';
import { findUsedHashes } from './find-uses.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Notes since when pictures are not used, and deletes a picture 30 days after the last reference to it. */
export async function sweepPictures({ storage, now }: AppContext): Promise<void> {
  const { lockRows, json } = storage.dialect;
  const hashes: string[] = [];
  await forEachAccount(storage, async (id) => {
    const account = { id };
    const rows = await picturesOf({ db: storage.reader(id), account }).execute();
    const isOld = ({ unused_at }: (typeof rows)[number]) =>
      unused_at !== null && unused_at < now() - UNUSED_PICTURE_DAYS * DAY_MS;
    // All documents are read only if a picture may have become unused, or may be deleted.
    if (!rows.some((row) => row.unused_at === null || isOld(row))) return;
    const used = await findUsedHashes(storage.heavyReader(id), id, json.contains);
    const changed = rows.filter((row) => used.has(row.hash) !== (row.unused_at === null));
    for (const { id: pictureId, hash } of changed)
      await storage.write(id, (db) =>
        db
          .updateTable('pictures')
          .set({ unused_at: used.has(hash) ? null : now() })
          .where('account_id', '=', id)
          .where('id', '=', pictureId)
          .execute(),
      );
    for (const row of rows.filter((row) => isOld(row) && !used.has(row.hash)))
      await storage.write(id, async (db) => {
        // A draft that has begun to show the picture has changed `unused_at`, or cannot name it any more.
        const locked = lockRows(picturesOf({ db, account }).where('id', '=', row.id));
        const current = await locked.executeTakeFirst();
        if (!current || !isOld(current)) return;
        await removePicture({ db, account }, current);
        hashes.push(row.hash);
      });
  });
  if (hashes.length > 0) await storage.shred(hashes);
}
