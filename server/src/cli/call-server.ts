import { messageOf } from '../error-code.ts';
import { CommandError, UsageError } from './errors.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:3400';

/** Reads which server a command calls, and the secret: from its options, else from the environment. */
export function readServer(
  options: { server?: string; secret?: string },
  env: Record<string, string | undefined>,
): { server: string; secret: string } {
  const { server = env.USHER_URL || DEFAULT_SERVER, secret = env.ACCOUNT_SECRET } = options;
  if (!isAddress(server)) throw new UsageError('give --server, such as https://usher.example.com');
  if (!secret) throw new UsageError('give the account secret in the environment as ACCOUNT_SECRET, or with --secret');
  return { server, secret };
}

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/**
 * Sends a request to a running server. It throws only when the server cannot be reached. A redirect is not followed, because the secret
 * would go to wherever it leads.
 */
export async function callServer(
  server: string,
  secret: string,
  path: string,
  { headers, ...init }: RequestInit = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${server.replace(/\/$/, '')}${path}`, {
      ...init,
      headers: { ...headers, 'X-Account-Secret': secret },
      redirect: 'manual',
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    throw new CommandError(`${server} cannot be reached: ${cause || messageOf(error)}`);
  }
  const { status, headers: received } = response;
  if (status < 300 || status >= 400) return response;
  throw new CommandError(`${server} redirects to ${received.get('location')}: give the address that it leads to`);
}
