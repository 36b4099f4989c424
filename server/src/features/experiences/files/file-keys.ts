import { assignKeys, isFileKey } from '@usher/domain';
import type { StoredRecord } from './load-records.ts';

/** The file of each record by its ID, such as `tours/welcome`. Known files stay, and the others follow from the names. */
export function assignFiles(records: readonly StoredRecord[], known: ReadonlyMap<string, string>): Map<string, string> {
  const files = new Map<string, string>();
  for (const folder of new Set(records.map(({ type }) => type.folder))) {
    const own = records.filter(({ type }) => type.folder === folder);
    const keys = own.flatMap(({ id }): [string, string][] => {
      const file = known.get(id);
      const key = file?.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;
      // A client writes files under these names, and a lock file can have been tampered with.
      return isFileKey(key) ? [[id, key]] : [];
    });
    for (const [id, key] of assignKeys(own, new Map(keys), folder.replace(/s$/, ''))) files.set(id, `${folder}/${key}`);
  }
  return files;
}
