import { setConnection } from './connection.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { promptForPassword } from './password-prompt.ts';
import { requestOf } from './request-of.ts';
import type { Operations } from './schema.ts';

export type OperationName = keyof Operations & string;
export type ParamsOf<Name extends OperationName> = Operations[Name]['params'];
export type ResponseOf<Name extends OperationName> = Operations[Name]['response'];

/** Params may be left out if none is required. */
export type ParamsArgument<Name extends OperationName> =
  Record<string, never> extends ParamsOf<Name> ? [params?: ParamsOf<Name>] : [params: ParamsOf<Name>];

/** The session's own endpoints say themselves whether somebody is signed in. */
const isAboutSession = (operation: string) => /\/v3\/(session(\/confirm)?|links\/\w+)$/.test(operation);

/**
 * Sends a request. If the session has ended, or the action needs the password again, a dialog asks for it and the request is repeated:
 * the caller only sees that it took longer.
 */
export async function api<Name extends OperationName>(
  operation: Name,
  ...[params]: ParamsArgument<Name>
): Promise<ResponseOf<Name>> {
  for (;;) {
    try {
      return (await send(operation, params ?? {})) as ResponseOf<Name>;
    } catch (error) {
      const reason = error instanceof ApiError ? passwordReason(operation, error) : undefined;
      if (!reason) throw error;
      await promptForPassword(reason);
    }
  }
}

function passwordReason(operation: string, { status, needsPassword }: ApiError) {
  if (needsPassword) return 'confirm';
  return status === 401 && !isAboutSession(operation) ? 'ended' : undefined;
}

async function send(operation: string, params: object): Promise<unknown> {
  const { url, init } = requestOf(operation, params as Record<string, unknown>);
  const response = await fetch(url, init).catch((error) => {
    setConnection('lost');
    throw new ConnectionError(error);
  });
  // Something between us and the server can fail as well, and its errors are no JSON.
  const body = await response.json().catch(() => ({}));
  setConnection([502, 503, 504].includes(response.status) ? 'unavailable' : 'ok');
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}
