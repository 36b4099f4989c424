import type { Readable } from 'node:stream';

/** An answer that is no JSON object: a file to keep, or a page or picture to look at. */
export class FileResponse {
  readonly mediaType: string;
  readonly body: string | Readable;
  /** What it is to be called when it is kept: letters, digits, `.`, `-` and `_`. */
  readonly name: string | undefined;
  readonly headers: Record<string, string>;

  constructor(
    mediaType: string,
    body: string | Readable,
    { name, headers = {} }: { name?: string; headers?: Record<string, string> } = {},
  ) {
    this.mediaType = mediaType;
    this.body = body;
    this.name = name;
    this.headers = headers;
  }
}
