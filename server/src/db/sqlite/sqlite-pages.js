/*
 * What lies where in a page of SQLite's file, see https://www.sqlite.org/fileformat2.html. In JavaScript for the thread of
 * sqlite-worker.js.
 */

const LEAF_HEADER = 8;
const INTERIOR_HEADER = 12;
/** The first byte of b-tree pages: interior and leaf ones of indices and of tables. */
const headerLengths = new Map([
  [2, INTERIOR_HEADER],
  [5, INTERIOR_HEADER],
  [10, LEAF_HEADER],
  [13, LEAF_HEADER],
]);
/** Page 1 begins with the header of the file. */
const FILE_HEADER = 100;

/**
 * The bytes of a b-tree page between the list of its cells and the first cell, which SQLite never reads: `end` is the
 * first after them. Of other pages, and of those that do not look right, nothing.
 * @param {Uint8Array} page
 * @param {number} pageNumber
 * @param {number} usableSize
 * @returns {{ start: number, end: number } | undefined}
 */
export function gapOf(page, pageNumber, usableSize) {
  const header = pageNumber === 1 ? FILE_HEADER : 0;
  const headerLength = headerLengths.get(page[header] ?? 0);
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
 * Finds one of several texts, or with none of them anything but zeros. Case does not matter: one that is found by
 * mistake does no harm.
 * @param {readonly string[]} texts
 * @returns {(bytes: Buffer) => boolean}
 */
export function finderOf(texts) {
  const wanted = texts.map((text) => fold(Buffer.from(text)));
  const zeros = Buffer.alloc(65536);
  return (bytes) => {
    if (bytes.equals(zeros.subarray(0, bytes.length))) return false;
    if (wanted.length === 0) return true;
    const text = fold(bytes);
    return wanted.some((one) => text.includes(one));
  };
}

/** @param {Buffer} bytes */
function fold(bytes) {
  return bytes.latin1Slice().toLowerCase();
}
