import { describe, expect, it } from 'vitest';
import { toChunks } from './stream-file.ts';

async function* repeat(piece: string, times: number, onPiece: (n: number) => void = () => {}): AsyncGenerator<string> {
  for (let n = 1; n <= times; n++) {
    onPiece(n);
    yield piece;
  }
}

async function collect(chunks: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

describe('a streamed file', () => {
  it('joins small pieces into chunks, and loses nothing', async () => {
    const chunks = await collect(toChunks(repeat('0123456789', 20_000)));
    expect(chunks.length).toBeLessThanOrEqual(4);
    expect(chunks.join('')).toBe('0123456789'.repeat(20_000));
    expect(await collect(toChunks(repeat('', 5)))).toEqual([]);
  });

  it('lets other work run between chunks, also when nothing has to be waited for', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const chunks = await collect(toChunks(repeat('x'.repeat(64 * 1024), 100)));
    isDone = true;
    expect(chunks).toHaveLength(100);
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  it('lets other work run while many pieces make one chunk', async () => {
    let others = 0;
    const slow = (n: number) => {
      if (n === 1) setImmediate(() => others++);
      const end = performance.now() + 1;
      while (performance.now() < end);
      if (n === 50) expect(others).toBe(1);
    };
    await collect(toChunks(repeat('x', 50, slow)));
  });

  it('stops reading when the client has left', async () => {
    const left = new AbortController();
    let read = 0;
    const chunks = toChunks(
      repeat('x', 1000, (n) => {
        read = n;
        if (n === 3) left.abort();
      }),
      left.signal,
    );
    expect(await collect(chunks)).toEqual([]);
    expect(read).toBe(3);
  });
});
