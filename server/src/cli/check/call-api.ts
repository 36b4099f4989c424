import { callServer } from '../call-server.ts';
import { CommandError } from '../errors.ts';

/** Sends a request to the API and returns the body of the response. Throws what the server says if it rejects the request. */
export type CallApi = <Body>(path: string, init?: { method: string; body: object }) => Promise<Body>;

export function createCallApi(server: string, secret: string): CallApi {
  return async <Body>(path: string, init?: { method: string; body: object }) => {
    const response = await callServer(server, secret, path, {
      ...(init && {
        method: init.method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(init.body),
      }),
    });
    const body = (await response.json().catch(() => undefined)) as (Body & { messages?: string[] }) | undefined;
    if (response.ok && body) return body;
    throw new CommandError(body?.messages?.join('\n') ?? `${server} answered ${response.status}: is it an Usher?`);
  };
}
