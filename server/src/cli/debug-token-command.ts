import type { DebugToken } from '@usher/domain';
import { callServer } from './call-server.ts';
import { CommandError, UsageError } from './errors.ts';
import { DEFAULT_SERVER, isAddress } from './visit-command.ts';

/* Prints a token for `usher.debug(token)`, which a running server makes. */

export interface DebugTokenOptions {
  /** How long the token is valid, in seconds. */
  ttl?: string;
  server?: string;
  secret?: string;
  json?: boolean;
}

export async function runDebugToken(
  options: DebugTokenOptions,
  env: Record<string, string | undefined>,
  print: (text: string) => void,
): Promise<void> {
  const { ttl, server = env.USHER_URL || DEFAULT_SERVER, secret = env.ACCOUNT_SECRET, json } = options;
  if (!isAddress(server)) throw new UsageError('give --server, such as https://usher.example.com');
  if (!secret) throw new UsageError('give the account secret in the environment as ACCOUNT_SECRET, or with --secret');
  const response = await callServer(server, secret, '/v3/edit/debug_tokens', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ttl }),
  });
  const body = (await response.json().catch(() => undefined)) as
    | { debug_token?: DebugToken; messages?: string[] }
    | undefined;
  if (!body?.debug_token)
    throw new CommandError(body?.messages?.join('\n') ?? `${server} answered ${response.status}: is it an Usher?`);
  const { token, expires_at } = body.debug_token;
  print(json ? `${JSON.stringify(body.debug_token)}\n` : `usher.debug("${token}")\n\nIt expires at ${expires_at}.\n`);
}
