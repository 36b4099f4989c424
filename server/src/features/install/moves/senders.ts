import type { AppContext } from '../../../context.ts';
import { messageOf } from '../../../error-code.ts';
import { Poster } from '../../../webhooks/sending/post.ts';
import type { SendRequest } from './source.ts';

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** For the operator of this server, who may reach every address that the server reaches. */
export const sendAnywhere: SendRequest = async (url, request) => {
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, header: (name) => response.headers.get(name), text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    throw new Error(cause || messageOf(error));
  }
};

/** For people in the dashboard: requests reach only what webhooks may reach. */
export function createSafeSender({ webhooks, publicUrl }: AppContext): { send: SendRequest; close(): void } {
  const poster = new Poster({
    allowed: webhooks.allowNetworks,
    denied: webhooks.denyNetworks,
    sources: webhooks.sourceAddresses,
    ownUrl: publicUrl,
    timeoutMs: TIMEOUT_MS,
  });
  return {
    send: async (url, request) => {
      const { status, headers, text } = await poster.request(url, request, MAX_BYTES);
      return { status, header: (name) => [headers[name] ?? []].flat()[0] ?? null, text };
    },
    close: () => poster.close(),
  };
}
