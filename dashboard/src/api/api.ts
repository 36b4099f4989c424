import { setConnection } from './connection.ts';
import { ApiError, CanceledError, ConnectionError } from './errors.ts';
import { accountPrompt, passwordPrompt } from './prompt.ts';
import { requestOf } from './request-of.ts';
import type { Operations } from './schema.ts';
import { shownUser, switchDone } from './shown-user.ts';
import { announceWrite } from './writes.ts';

export type OperationName = keyof Operations & string;
export type ParamsOf<Name extends OperationName> = Operations[Name]['params'];
export type ResponseOf<Name extends OperationName> = Operations[Name]['response'];

/** Params may be left out if none is required. */
export type ParamsArgument<Name extends OperationName> =
  Record<string, never> extends ParamsOf<Name> ? [params?: ParamsOf<Name>] : [params: ParamsOf<Name>];

/** The endpoints of the session report themselves whether somebody has signed in. */
const isAboutSession = (operation: string) => /\/v3\/(session(\/confirm)?|links\/\w+)$/.test(operation);

/**
 * Sends a request. If the session has ended, the action needs the password again, or another tab has switched the account, a dialog
 * asks what to do and the request is repeated: the caller only sees that it took longer.
 */
export async function api<Name extends OperationName>(
  operation: Name,
  ...[params]: ParamsArgument<Name>
): Promise<ResponseOf<Name>> {
  const response = await repeatUntilDone(operation, (user) => send(operation, params ?? {}, user));
  announceWrite(operation, params ?? {});
  return response;
}

/** Like `api`, for a page that is being closed: the browser finishes the request, and no dialog opens. */
export async function sendLast<Name extends OperationName>(
  operation: Name,
  params: ParamsOf<Name>,
): Promise<ResponseOf<Name>> {
  return await receive(operation, params, shownUser(), { keepalive: true }).then(readJson);
}

/** Like `api`, for a request that only reads, whatever its method. It is aborted when nobody waits for it anymore. */
export async function apiUntil<Name extends OperationName>(
  signal: AbortSignal,
  operation: Name,
  params: ParamsOf<Name>,
): Promise<ResponseOf<Name>> {
  const response = await repeatUntilDone(operation, (user) => receive(operation, params, user, { signal }));
  return await readJson(response);
}

/** Like `api`, for results. They may come from a replica of the database: `ageSeconds` is how old they are at most, or 0. */
export async function apiWithAge<Name extends OperationName>(
  operation: Name,
  params: ParamsOf<Name>,
): Promise<{ data: ResponseOf<Name>; ageSeconds: number }> {
  const response = await repeatUntilDone(operation, (user) => receive(operation, params, user));
  return { data: await readJson(response), ageSeconds: Number(response.headers.get('Usher-Data-Age') ?? 0) };
}

/** Like `api`, for a file. A plain link would not say which account this tab shows. */
export async function download<Name extends OperationName>(operation: Name, params: ParamsOf<Name>): Promise<Blob> {
  const response = await repeatUntilDone(operation, (user) => receive(operation, params, user));
  return response.blob();
}

/** Like `api`, for an endpoint that takes files. Params are in the query. */
export async function upload<Name extends OperationName>(
  operation: Name,
  params: ParamsOf<Name>,
  files: readonly File[],
): Promise<ResponseOf<Name>> {
  const body = new FormData();
  for (const file of files) body.append('files[]', file, file.name);
  const response = await repeatUntilDone(operation, (user) => receive(operation, params, user, { body }));
  announceWrite(operation, params);
  return await readJson(response);
}

async function repeatUntilDone<Result>(
  operation: string,
  run: (user: string | undefined) => Promise<Result>,
): Promise<Result> {
  const user = isAboutSession(operation) ? undefined : shownUser();
  for (let count = 1; ; count++) {
    try {
      return await run(user);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await switchDone();
      // This tab has switched to another account meanwhile, in which the request must not be repeated.
      if (user !== undefined && user !== shownUser()) throw new CanceledError();
      if (error.isForOtherUser) await accountPrompt.ask('switched');
      else if (error.needsPassword) await passwordPrompt.ask('confirm');
      else if (error.status !== 401 || isAboutSession(operation)) throw error;
      else if (count > 1 || !(await isSignedIn())) await passwordPrompt.ask('ended');
    }
  }
}

/** Another tab may have got a new cookie while the request was on its way. */
function isSignedIn(): Promise<boolean> {
  return send('GET /v3/session', {}).then(
    () => true,
    () => false,
  );
}

async function send(operation: string, params: object, user?: string): Promise<unknown> {
  return readJson(await receive(operation, params, user));
}

async function receive(
  operation: string,
  params: object,
  user?: string,
  options: Pick<RequestInit, 'keepalive' | 'signal'> & { body?: FormData } = {},
): Promise<Response> {
  const { url, init } = requestOf(operation, params as Record<string, unknown>, options.body !== undefined);
  const headers = { ...init.headers, ...(user !== undefined && { 'X-User-Id': user }) };
  const response = await fetch(url, { ...init, headers, ...options }).catch((error) => {
    if (options.signal?.aborted) throw new CanceledError();
    setConnection('lost');
    throw new ConnectionError(error);
  });
  setConnection([502, 503, 504].includes(response.status) ? 'unavailable' : 'ok');
  if (!response.ok) throw new ApiError(response.status, await readJson(response));
  return response;
}

/** A proxy between the browser and the server can fail too, and its errors are not JSON. */
function readJson(response: Response) {
  return response.json().catch(() => ({}));
}
