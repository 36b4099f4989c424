import type { Operations, Schemas } from './schema.ts';

/** Endpoints that the server does not have yet. */
interface Pending {
  'POST /v3/links/check': {
    params: { token: string };
    response: {
      link: {
        kind: 'setup' | 'reset' | 'invite';
        expires_at: string;
        account: { name: string } | null;
        role: Schemas['Role'] | null;
        email: string | null;
      };
    };
  };
  'POST /v3/links/setup': {
    params: { token: string; name: string; email: string; password: string; product_name: string; domain: string };
    response: Schemas['SignedIn'];
  };
  'POST /v3/links/accept': {
    params: { token: string; name?: string; email?: string; password?: string };
    response: Schemas['SignedIn'];
  };
  'POST /v3/links/reset': { params: { token: string; password: string }; response: Schemas['SignedIn'] };
}
export type AllOperations = Pending & Omit<Operations, keyof Pending>;
