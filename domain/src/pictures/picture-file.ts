/** The formats of pictures. Others, such as SVG, can contain scripts or show differently in each browser. */
export const pictureTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const;
export type PictureType = keyof typeof pictureTypes;

/** What the bytes of a picture say about it. */
export interface PictureFile {
  type: PictureType;
  width: number;
  height: number;
  /** Whether it has several frames, which are lost when it is drawn again. */
  isAnimated: boolean;
  /** The parts that are not needed to show it, such as `eXIf`: they can say who made it, and where. */
  metadata: string[];
  /** The file without these parts; undefined if that is not possible without drawing it again. */
  withoutMetadata: Uint8Array<ArrayBuffer> | undefined;
}

/** Collects the parts of a file: those to keep, and the names of the others. */
export class FileParts {
  readonly kept: Uint8Array[] = [];
  readonly metadata: string[] = [];

  add(part: Uint8Array, metadata?: string): void {
    if (metadata === undefined) this.kept.push(part);
    else this.metadata.push(metadata);
  }
}

/** The name of bytes after the end of a picture: a second file, or a note. */
export const TRAILING_BYTES = 'bytes after its end';

/** A real picture has far fewer. Reading more would keep other requests waiting. */
export const MAX_CHUNKS = 20_000;
