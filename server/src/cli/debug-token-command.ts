import type { DebugToken } from '@usher/domain';
import { callServer, readServer } from './call-server.ts';
import { CommandError } from './errors.ts';

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
  const { ttl, json } = options;
  const { server, secret } = readServer(options, env);
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
