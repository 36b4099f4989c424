import { describe, expect, it } from 'vitest';
import { formatPicturePath, listPictureHashes, parsePicturePath } from './picture-path.ts';

const accountId = 'a'.repeat(24);
const hash = '0123456789abcdef'.repeat(2);

describe('the path of a picture', () => {
  it('says what is needed to show it', () => {
    const path = `/media/${accountId}/${hash}-640x360@2x.webp`;
    const parsed = { accountId, hash, width: 640, height: 360, scale: 2 as const, type: 'webp' as const };
    expect(parsePicturePath(path)).toEqual(parsed);
    expect(formatPicturePath(parsed)).toBe(path);
  });

  it.each([
    `/media/${accountId}/${hash}-640x360.svg`,
    `/media/${accountId}/${hash}-640x360.png?x`,
    `https://other.example/media/${accountId}/${hash}-640x360.png`,
    `/media/${accountId}/../${hash}-640x360.png`,
    `/media/x/${hash}-640x360.png`,
  ])('is no other address: %s', (path) => {
    expect(parsePicturePath(path)).toBeUndefined();
  });

  it('is found in the JSON of a document, of the same account', () => {
    const other = 'b'.repeat(24);
    const body = `![x](/media/${accountId}/${hash}-1x1.png) ![y](https://u.example/media/${other}/${'f'.repeat(32)}-1x1.png)`;
    expect(listPictureHashes(JSON.stringify({ body, again: body }), accountId)).toEqual([hash]);
  });
});
