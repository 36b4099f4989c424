import { normalizeKey } from '../ingestion/key.ts';
import type { Value } from '../ingestion/value.ts';

/** The tag of an import is its normalized name, which a filter can name. A name without letters becomes the ID. */
export function toImportTag({ id, name }: { id: string; name: string }): string {
  const key = normalizeKey(name);
  // A tag that looks like a number or a boolean would be stored as one.
  return /^\p{L}/u.test(key) && key !== 'true' && key !== 'false' ? key : `import_${key || id}`;
}

/** The tags of a record with one more. */
export function withTag(tags: Value | undefined, tag: string): Value {
  const list = Array.isArray(tags) ? tags : [];
  return list.includes(tag) ? list : [...list, tag];
}
