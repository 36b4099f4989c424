import { fileURLToPath } from 'node:url';
import { createFolder, startProcess } from './process.ts';
import type { UsherAddress } from './snippet.ts';

const program = fileURLToPath(new URL('../../server/bin/usher.js', import.meta.url));

export interface UsherServer extends UsherAddress {
  secret: string;
}

/** Starts the server as a customer does, with a new SQLite database. */
export async function startUsher(): Promise<UsherServer & { stop(): Promise<void> }> {
  const { folder, remove } = createFolder();
  const running = await startProcess([program, 'serve'], /account secret +\S+/, {
    ...{ PORT: '0', USHER_DATA: folder, USHER_DEMO: 'false' },
  });
  const read = (pattern: RegExp) => pattern.exec(running.output)?.[1] ?? '';
  return {
    url: read(/ready at (\S+)/),
    token: read(/account token +(\S+)/),
    secret: read(/account secret +(\S+)/),
    stop: async () => {
      await running.stop();
      remove();
    },
  };
}
