import type { ResponseOf } from '../../api/api.ts';
import { auditSentences } from '../../messages/en/audit-sentences.ts';
import * as text from '../../messages/text.ts';

export type Entry = ResponseOf<'GET /v3/analyze/audit_entries'>['audit_entries'][number];

const auditLog = text.auditLog;

/** A sentence about an entry, with its subject apart. */
export function describeEntry({ action, user, target_name, target_type, details }: Entry): {
  subject: string;
  rest: string;
} {
  const subject = user?.name ?? auditLog.commandLine;
  const sentence = auditSentences[action];
  if (!sentence) return { subject, rest: auditLog.unknown(action) };
  const described = sentence({ target: target_name, type: target_type, details });
  return typeof described === 'string' ? { subject, rest: described } : described;
}

/** How the action was done: in the dashboard, with a secret, or on the command line. */
export function describeVia({ secret_id, user }: Entry, secretNames: ReadonlyMap<string, string>): string {
  const { via } = auditLog;
  if (secret_id === null) return user ? via.session : via.commandLine;
  const name = secretNames.get(secret_id);
  return name === undefined ? via.revokedSecret : via.secret(name);
}

/** The details as they are shown: a change as the old and the new value. */
export function describeDetail(value: unknown): string {
  const { change, nothing } = auditLog.details;
  if (Array.isArray(value) && value.length === 2) return change(describeDetail(value[0]), describeDetail(value[1]));
  if (value === null || value === undefined || value === '') return nothing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
