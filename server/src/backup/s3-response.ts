import { BackupProblem } from './errors.ts';

/**
 * Reads a whole response, up to a size that no working storage exceeds: a larger one would fill the memory of the
 * server.
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes)
      throw new BackupProblem(`the storage sent more than ${maxBytes / 1024 / 1024} MB for one answer`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Yields the content of each element with this name. The time is proportional to the length of the text, even if
 * elements never end.
 */
export function* elementsOf(xml: string, name: string): Generator<string> {
  const [start, end] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(start); at >= 0; ) {
    const until = xml.indexOf(end, at);
    if (until < 0) return;
    yield xml.slice(at + start.length, until);
    at = xml.indexOf(start, until);
  }
}

/** The text of the first element with this name. */
export function textOf(xml: string, name: string): string {
  const [, text = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? '');
}
