import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import { engines } from './health.ts';

const Backup = OutputObject({
  name: Type.String(),
  created_at: Timestamp,
  bytes: Type.Integer(),
  /** When it is removed, if backups go on being made on time. */
  kept_until: Timestamp,
  /** What an operator runs to restore it, while no server runs. */
  restore_command: Type.String(),
});

/** The backups of the whole installation, in the place of `USHER_BACKUP_TO`. */
export const Backups = OutputObject({
  engine: OneOf(engines),
  /** Null if no place is set. */
  place: Nullable(Type.String()),
  every_hours: Nullable(Type.Number()),
  keep: Nullable(Type.Integer()),
  /** A backup that is being made, and how much of it is written; null if none is. */
  running: Nullable(OutputObject({ bytes: Type.Integer() })),
  /** About how large a backup is. */
  database_bytes: Type.Integer(),
  /** Null if the latest attempt did not fail. */
  failed_at: Nullable(Timestamp),
  /** Why the backups cannot be listed, or why the latest one failed. */
  problem: Nullable(Type.String()),
  /** The newest first. */
  list: Type.Array(Backup),
});
export type Backups = Static<typeof Backups>;
