import type { ServerResponse } from './core/transport.ts';
import type { User } from './core/user.ts';
import type { Store } from './page/store.ts';
import { registerModule } from './register-module.ts';

interface VisitRequest {
  uid?: string | undefined;
  anonymous_uid?: string;
}

/** Sends a visit of an account with anonymous users, with the uid that the user has had before they signed in. */
export type SendAnonymously = (
  request: VisitRequest,
  deps: { store: Store; user: User },
  post: () => Promise<ServerResponse>,
) => Promise<ServerResponse>;

/** The uid on a page that may not store it. */
let memory: string | undefined;

const NAME = 'anonymous';

const sendAnonymously: SendAnonymously = async (request, { store, user }, post) => {
  const { identity } = user;
  const read = () => store.get(NAME, true) ?? memory;
  const send = async () => {
    const known = read();
    if (known) request.anonymous_uid = known;
    const result = await post();
    const profile = result.body?.profile as { uid: string; anonymous?: boolean } | undefined;
    // If the page has cleared the user meanwhile, this uid is not theirs any more.
    if (result.status === 200 && profile && identity === user.identity)
      keep(profile.anonymous ? profile.uid : undefined);
    return result;
  };
  const keep = (uid: string | undefined) => {
    store.set(NAME, uid, true);
    memory = store.get(NAME, true) ? undefined : uid;
  };
  // Two tabs that open together are one user. Old browsers, and pages without HTTPS, have no locks.
  if (request.uid === undefined && !read() && navigator.locks) return navigator.locks.request('usher:anonymous', send);
  return send();
};

const { usher } = window as unknown as { usher: { clear(): void } };
const { clear } = usher;
usher.clear = () => {
  memory = undefined;
  clear();
};

registerModule('anonymous', sendAnonymously);
