import { type ImportKind, isFileImport } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import type { UploadedFile } from '../../../http/route.ts';
import { deleteFile } from '../import-files/delete-file.ts';
import { storeFile } from '../import-files/store-file.ts';

/** Stores the file of a request before the work that refers to it, and removes it if that fails. */
export async function withFile<T>(
  ctx: Context,
  kind: ImportKind,
  uploads: readonly UploadedFile[],
  work: (file: Awaited<ReturnType<typeof storeFile>> | undefined) => Promise<T>,
): Promise<T> {
  if (uploads.length === 0) return work(undefined);
  if (!isFileImport(kind)) throw invalid(`\`file\` is not for imports of the kind \`${kind}\``);
  const file = await storeFile(ctx, uploads);
  try {
    return await work(file);
  } catch (error) {
    await deleteFile(ctx, file.file_id);
    throw error;
  }
}
