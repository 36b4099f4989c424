/*
 * Finds the parts of a page of SQLite's file, see https://www.sqlite.org/fileformat2.html. This is JavaScript, because the
 * thread of heavy-reader-worker.js imports it.
 */

const LEAF_HEADER_BYTES = 8;
const INTERIOR_HEADER_BYTES = 12;
/** By the first byte of a b-tree page: interior and leaf pages of indices and of tables. */
const headerBytes = new Map([
  [2, INTERIOR_HEADER_BYTES],
  [5, INTERIOR_HEADER_BYTES],
  [10, LEAF_HEADER_BYTES],
  [13, LEAF_HEADER_BYTES],
]);
/** Page 1 begins with the header of the file. */
const FILE_HEADER_BYTES = 100;

/**
 * Finds the gap of a b-tree page: the bytes between the list of its cells and the first cell, which SQLite never reads.
 * `end` is the first byte after the gap. Returns nothing for pages of other kinds and for pages that look damaged.
 * @param {Uint8Array} page
 * @param {number} pageNumber
 * @param {number} usableSize
 * @returns {{ start: number, end: number } | undefined}
 */
export function findGap(page, pageNumber, usableSize) {
  const header = pageNumber === 1 ? FILE_HEADER_BYTES : 0;
  const headerLength = headerBytes.get(page[header] ?? 0);
  if (headerLength === undefined || usableSize > page.length) return undefined;
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const firstFree = view.getUint16(header + 1);
  const cells = view.getUint16(header + 3);
  const list = header + headerLength;
  const start = list + 2 * cells;
  const end = view.getUint16(header + 5) || 65536;
  const isContent = (/** @type {number} */ offset) => offset >= end && offset < usableSize;
  if (start > end || end > usableSize || (firstFree !== 0 && !isContent(firstFree))) return undefined;
  for (let at = list; at < start; at += 2) if (!isContent(view.getUint16(at))) return undefined;
  return { start, end };
}

/**
 * Returns a function that finds one of the texts in a gap; without texts, anything but zeros. It ignores case: clearing
 * a gap that was found by mistake does no harm.
 * @param {readonly string[]} texts
 * @returns {(bytes: Buffer) => boolean}
 */
export function createGapMatcher(texts) {
  const wanted = texts.map((text) => toLowerCase(Buffer.from(text)));
  const zeros = Buffer.alloc(65536);
  return (bytes) => {
    if (bytes.equals(zeros.subarray(0, bytes.length))) return false;
    if (wanted.length === 0) return true;
    const text = toLowerCase(bytes);
    return wanted.some((one) => text.includes(one));
  };
}

/** @param {Buffer} bytes */
function toLowerCase(bytes) {
  return bytes.latin1Slice().toLowerCase();
}
