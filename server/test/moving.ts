import { createContext } from '../src/create-context.ts';
import type { MoveOptions } from '../src/features/install/moves/run-move.ts';
import { createFileReader, sendAnywhere } from '../src/features/install/moves/senders.ts';
import type { Api } from './api.ts';

/* Moves between two servers of tests. */

export const ownerOf = (api: Api) =>
  createContext(api.app, {
    account: { id: api.account.account_id },
    actor: { id: api.account.user_id, role: 'owner' },
  });

export function moveFrom(from: Api, target: Api, more: Partial<MoveOptions> = {}): MoveOptions {
  return {
    source: {
      ...{
        address: from.url,
        secret: from.account.account_secret,
        send: sendAnywhere,
        readFile: createFileReader(target.app).readFile,
        requestsPerMinute: 100_000,
      },
      now: Date.now,
      wait: async () => {},
    },
    only: [],
    secrets: { verification: undefined, webhooks: new Map() },
    ...more,
  };
}
