import { createReadStream } from 'node:fs';
import { CompactExperience } from '@usher/domain';
import { parseLayout } from './parse-layout.js';

/** The root of a file without its Experiences, and these apart. */
export interface Parsed {
  root: unknown;
  experiences: unknown[];
}

const AT_ONCE = 64 * 1024;
/** An Experience that is longer is looked at more closely. */
const MAX_BYTES = 1024 * 1024;
const NEXT = '\n  - id: ';
const head =
  /^id: "([\w-]+)"\nlanguage:\n {2}code: "([\w-]+)"\n {2}options:\n((?: {4}- "[\w-]+"\n)*)experiences:(?=\n {2}- id: )/;

/**
 * A file in the layout of a download, a little at a time, so that others have their turn in between: a thread for it would
 * take 20 MB and a tenth of a second. Undefined when anything in it is laid out in another way.
 */
export async function readLayout(path: string): Promise<Parsed | undefined> {
  const experiences: CompactExperience[] = [];
  let root: unknown;
  let rest = '';
  const take = (text: string) => {
    const laidOut = parseLayout(text);
    for (const { id, steps } of laidOut ?? []) experiences.push(new CompactExperience(id, steps));
    return laidOut !== undefined;
  };
  for await (const text of createReadStream(path, { encoding: 'utf8', highWaterMark: AT_ONCE })) {
    // It may stand for bytes that are no UTF-8.
    if (text.includes('\ufffd')) return undefined;
    rest += text;
    if (root === undefined) {
      const found = head.exec(rest);
      if (!found) return undefined;
      const [whole, id, code, options = ''] = found;
      root = { id, language: { code, options: options.match(/[\w-]+(?="\n)/g) ?? [] }, experiences: [] };
      rest = rest.slice(whole.length);
    }
    const end = rest.lastIndexOf(NEXT);
    if (end > 0) {
      if (!take(rest.slice(0, end))) return undefined;
      rest = rest.slice(end);
    }
    if (rest.length > MAX_BYTES) return undefined;
  }
  return take(rest) && root !== undefined ? { root, experiences } : undefined;
}
