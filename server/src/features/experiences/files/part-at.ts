import type { StoredRecord } from './load-records.ts';

type Part = Record<string, unknown> & { id?: string };

/** The ID of the part at a path such as `steps[0].buttons[1]`; without a path, that of the record. */
export function partAt({ id, document }: StoredRecord, path: string): string | undefined {
  let part: Part | undefined = { ...document, id };
  for (const [, list = '', at] of path.matchAll(/(\w+)\[(\d+)\]/g)) part = (part?.[list] as Part[])?.[Number(at)];
  return part?.id;
}
