import type { AppContext } from '../../../context.ts';
import { messageOf } from '../../../error-code.ts';
import { describeError } from '../../../webhooks/sending/outcome.ts';
import { Poster } from '../../../webhooks/sending/post.ts';
import type { ReadFile, SendRequest } from './source.ts';

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** For the operator of this server, who may reach every address that the server reaches. */
export const sendAnywhere: SendRequest = async (url, request) => {
  const { status, headers, bytes } = await fetchBytes(url, request);
  return { status, header: (name) => headers.get(name), text: bytes.toString('utf8') };
};

/**
 * For the operator too. Texts of the other service can name any address, so that files which are not its own are read only from where
 * webhooks may send.
 */
export function createFileReader(app: AppContext): { readFile: ReadFile; close(): void } {
  const safe = createSafeSender(app);
  const readFile: ReadFile = (url, file) =>
    file.isOfSource ? fetchBytes(url, { method: 'GET' }) : safe.readFile(url, file);
  return { readFile, close: safe.close };
}

async function fetchBytes(url: string, request: Pick<RequestInit, 'method' | 'headers' | 'body'>) {
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { status, headers } = response;
    return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    throw new Error(cause || messageOf(error));
  }
}

/** For people in the dashboard: requests reach only what webhooks may reach. */
export function createSafeSender({ webhooks, publicUrl }: AppContext): {
  send: SendRequest;
  readFile: ReadFile;
  close(): void;
} {
  const poster = new Poster({
    allowed: webhooks.allowNetworks,
    denied: webhooks.denyNetworks,
    sources: webhooks.sourceAddresses,
    ownUrl: publicUrl,
    timeoutMs: TIMEOUT_MS,
  });
  return {
    send: async (url, request) => {
      const { status, headers, bytes, isCut } = await poster.request(url, request, MAX_BYTES);
      if (isCut) throw new Error(`the response has more than ${MAX_BYTES / 1024 / 1024} MB`);
      return { status, header: (name) => [headers[name] ?? []].flat()[0] ?? null, text: bytes.toString('utf8') };
    },
    readFile: (url, { maxBytes }) =>
      poster.request(url, { method: 'GET', headers: {} }, maxBytes).catch((error) => {
        const isLate = /^(Abort|Timeout)Error$/.test(error.name);
        throw new Error(isLate ? `there was no answer within ${TIMEOUT_MS / 1000} s` : describeError(error));
      }),
    close: () => poster.close(),
  };
}
