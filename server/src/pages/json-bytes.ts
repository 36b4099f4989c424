/** Blocks this large are not given back to the system each time. */
const BLOCK = 64 * 1024;
/** A letter of a text takes up to so many bytes. */
const MAX_OF_LETTER = 3;

/**
 * JSON that was put together from ready pieces. What has other letters than English is better given as bytes: a text
 * with a single one takes three times as long to encode.
 *
 * Answers are written one behind the other into one block of memory: to get one for each takes longer than to write it,
 * and to give it back holds everybody up.
 */
export class JsonBytes {
  readonly bytes: Buffer;

  constructor(...parts: (string | Buffer)[]) {
    const most = parts.reduce((sum, part) => sum + part.length * (typeof part === 'string' ? MAX_OF_LETTER : 1), 0);
    if (most > block.length - used) [block, used] = [Buffer.allocUnsafeSlow(Math.max(BLOCK, most)), 0];
    const start = used;
    for (const part of parts) used += typeof part === 'string' ? block.write(part, used) : part.copy(block, used);
    this.bytes = block.subarray(start, used);
  }
}

let block = Buffer.alloc(0);
let used = 0;
