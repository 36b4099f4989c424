import type { Operations } from './schema.ts';

interface SignedIn {
  session: Session;
  person: { id: string; name: string; email: string };
  account: { id: string; name: string; token: string };
  user: { id: string; role: 'owner' | 'editor' | 'translator' | 'viewer'; permissions: Permission[] };
  accounts: { id: string; name: string; role: 'owner' | 'editor' | 'translator' | 'viewer' }[];
}
type Permission = 'read' | 'translate' | 'ingest' | 'edit' | 'publish' | 'own';
interface Session {
  id: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  confirmed_until: string | null;
  user_agent: string;
  network: string;
  current: boolean;
}
type None = Record<string, never>;
interface Pending {
  'POST /v3/session': { params: { email: string; password: string }; response: SignedIn };
  'GET /v3/session': { params: None; response: SignedIn };
  'PATCH /v3/session': { params: { account_id: string }; response: SignedIn };
  'DELETE /v3/session': { params: None; response: object };
  'POST /v3/session/confirm': { params: { password: string }; response: object };
  'GET /v3/sessions': { params: None; response: { sessions: Session[] } };
  'DELETE /v3/sessions': { params: None; response: object };
  'DELETE /v3/sessions/{id}': { params: { id: string }; response: object };
  'PATCH /v3/person': {
    params: { name?: string; email?: string; password?: string; current_password?: string };
    response: object;
  };
  'POST /v3/links/check': {
    params: { token: string };
    response: {
      link: {
        kind: 'setup' | 'reset' | 'invite';
        expires_at: string;
        account: { name: string } | null;
        role: 'owner' | 'editor' | 'translator' | 'viewer' | null;
        email: string | null;
      };
    };
  };
  'POST /v3/links/setup': {
    params: { token: string; name: string; email: string; password: string; product_name: string; domain: string };
    response: SignedIn;
  };
  'POST /v3/links/accept': {
    params: { token: string; name?: string; email?: string; password?: string };
    response: SignedIn;
  };
  'POST /v3/links/reset': { params: { token: string; password: string }; response: SignedIn };
}
export type AllOperations = Pending & Omit<Operations, keyof Pending>;
