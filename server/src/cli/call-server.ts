import { CommandError } from './errors.ts';

/** Sends a request to a running server. It throws only when the server cannot be reached. */
export async function callServer(
  server: string,
  secret: string,
  path: string,
  { headers, ...init }: RequestInit = {},
): Promise<Response> {
  try {
    return await fetch(`${server.replace(/\/$/, '')}${path}`, {
      ...init,
      headers: { ...headers, 'X-Account-Secret': secret },
    });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new CommandError(`${server} cannot be reached: ${cause?.message || message}`);
  }
}
