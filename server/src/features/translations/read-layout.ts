import { createReadStream } from 'node:fs';
import { CompactExperience } from '@usher/domain';
import { parseLayout } from './parse-layout.js';

/** The root of a file, and its Experiences separately. */
export interface ParsedFile {
  root: unknown;
  experiences: unknown[];
}

const CHUNK_BYTES = 64 * 1024;
/** A longer Experience is left to the full parser. */
const MAX_EXPERIENCE_LENGTH = 1024 * 1024;
const NEXT_EXPERIENCE = '\n  - id: ';
const head =
  /^id: "([\w-]+)"\nlanguage:\n {2}code: "([\w-]+)"\n {2}options:\n((?: {4}- "[\w-]+"\n)*)experiences:(?=\n {2}- id: )/;

/**
 * Reads a file in the layout of a download in small chunks, so that it does not block other requests. Returns undefined
 * for any other layout. A thread would take 0.2 s and 15 MB more for a file of 4 MB.
 */
export async function readLayout(path: string): Promise<ParsedFile | undefined> {
  const experiences: CompactExperience[] = [];
  let root: unknown;
  let pending = '';
  const parse = (text: string) => {
    const laidOut = parseLayout(text);
    for (const { id, steps } of laidOut ?? []) experiences.push(new CompactExperience(id, steps));
    return laidOut !== undefined;
  };
  for await (const text of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
    // This character may stand for invalid UTF-8, which the full parser reports.
    if (text.includes('\ufffd')) return undefined;
    pending += text;
    if (root === undefined) {
      const found = head.exec(pending);
      if (!found) return undefined;
      const [whole, id, code, options = ''] = found;
      root = { id, language: { code, options: options.match(/[\w-]+(?="\n)/g) ?? [] }, experiences: [] };
      pending = pending.slice(whole.length);
    }
    const end = pending.lastIndexOf(NEXT_EXPERIENCE);
    if (end > 0) {
      if (!parse(pending.slice(0, end))) return undefined;
      pending = pending.slice(end);
    }
    if (pending.length > MAX_EXPERIENCE_LENGTH) return undefined;
  }
  return parse(pending) && root !== undefined ? { root, experiences } : undefined;
}
