import { createdAtOf, isId, toDate, toTimestamp } from '@usher/domain';
import type { profileUseTables } from '../deletions/profile-tables.ts';

type ExportedTable = (typeof profileUseTables)[number] | 'deliveries' | 'picks';

interface Exported {
  /** The key in the document. */
  as: string;
  /** The columns that tell rows of one profile apart, in the order of the document. */
  key: readonly string[];
  /** Columns that say nothing about the person, or that open something. */
  without?: readonly string[];
}

/** How the server orders reports. */
const ordering = ['updated_tick', 'showing_from', 'showing_to', 'displayed_to', 'ended_by'];

/** Every table that names profiles, as it is exported. */
export const exportedTables: Readonly<Record<ExportedTable, Exported>> = {
  events: { as: 'events', key: ['id'] },
  profile_events: { as: 'event_counts', key: ['name'] },
  interactions: { as: 'interactions', key: ['id'], without: ordering },
  responses: { as: 'responses', key: ['id'], without: ordering },
  response_tags: { as: 'response_tags', key: ['response_id', 'name'] },
  answers: { as: 'answers', key: ['response_id', 'step_id'] },
  activities: { as: 'activities', key: ['experience_id', 'day', 'what', 'part_id'] },
  interruption_days: { as: 'interruptions', key: ['day', 'experience_id'] },
  exposures: { as: 'exposures', key: ['experiment_id'] },
  findings: { as: 'findings', key: ['experience_id', 'day', 'part_id', 'path', 'finding'], without: ['is_known'] },
  deliveries: { as: 'deliveries', key: ['id'], without: ['claimed_by'] },
  picks: { as: 'picks', key: ['id'], without: ['admin_id', 'key_hash', 'code_hash', 'token_hash'] },
  installation_entries: { as: 'installation_entries', key: ['id'] },
  webhook_events: { as: 'webhook_events', key: ['id'], without: ['repeat_key'] },
  outbox: { as: 'webhook_items', key: ['webhook_id', 'id'], without: ['repeat_key'] },
  webhook_attempts: { as: 'webhook_attempts', key: ['id'] },
};

/** Presents a row as the API would: with times as texts, and with the time that its ID contains. */
export function presentRow(row: Readonly<Record<string, unknown>>, { without = [] }: Exported) {
  const hidden = new Set(['account_id', 'profile_id', 'created_at', ...without]);
  const shown = Object.entries(row).filter(([name]) => !hidden.has(name));
  const { id } = row;
  return {
    ...(typeof id === 'string' &&
      isId(id) && { id, created_at: toTimestamp(createdAtOf({ id, created_at: readTime(row.created_at) })) }),
    ...Object.fromEntries(shown.map(([name, value]) => [name, presentValue(name, value)])),
  };
}

function readTime(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function presentValue(name: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (/(^|_)day$/.test(name)) return value < 0 ? null : toDate(value);
  return /(^|_)(at|until)$/.test(name) ? toTimestamp(value) : value;
}
