import type { SignedIn } from '@usher/domain';
import type { OpenRequest, ResponseWithStatus } from '../../../http/route.ts';
import { checkPassword } from '../persons/check-password.ts';
import { startSession } from './start-session.ts';

/** Signs in with email and password. */
export async function createSession(
  { app, request }: OpenRequest,
  { email, password }: { email: string; password: string },
): Promise<ResponseWithStatus<SignedIn>> {
  const person = await checkPassword(app, request.network, email, password);
  return startSession(app, request, person);
}
