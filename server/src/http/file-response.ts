import type { Readable } from 'node:stream';

/** A response body that is not JSON: a file to download, or a page or picture to look at. */
export class FileResponse {
  readonly mediaType: string;
  readonly body: string | Readable;
  /** The file name for a download: letters, digits, `.`, `-` and `_`. */
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
