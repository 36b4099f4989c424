import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import { healthCheckNames, healthStates } from './health-checks.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** What a value means, or what to do about it, in one sentence. */
export const HealthCheck = OutputObject({
  name: OneOf(healthCheckNames),
  state: OneOf(healthStates),
  message: Type.String(),
});
export type HealthCheck = Static<typeof HealthCheck>;

/** The state of the server that responds, and of its database. It names no files. */
export const Health = OutputObject({
  /** The worst state of the checks. */
  state: OneOf(healthStates),
  version: Type.String(),
  node_version: Type.String(),
  started_at: Timestamp,
  engine: OneOf(engines),
  engine_version: Type.String(),
  /** The name of the last migration. */
  schema_version: Type.String(),
  database_bytes: Type.Integer(),
  /** Free space where the database file is; null on PostgreSQL. */
  free_disk_bytes: Nullable(Type.Integer()),
  /** Open connections, and the most that the server, its role or this database allows, whichever is closer to its limit; null on SQLite. */
  connections: Nullable(OutputObject({ open: Type.Integer(), max: Type.Integer() })),
  /** Items to be sent to enabled webhooks of all accounts: due now, or waiting for a later attempt. */
  webhook_items: OutputObject({
    due: Type.Integer(),
    waiting: Type.Integer(),
    oldest_due_at: Nullable(Timestamp),
  }),
  /** Batches of profiles and Companies on this server. */
  batches: OutputObject({ running: Type.Integer(), waiting: Type.Integer() }),
  /** When old records were last removed; null until the first time, an hour after the start. */
  last_sweep_at: Nullable(Timestamp),
  events_days: Type.Integer(),
  /** Why nothing is sent to webhooks, and since when; null while items are sent. */
  sending_paused: Nullable(OutputObject({ reason: Type.String(), paused_at: Timestamp })),
  /** Backups that are made automatically. `failed_at` is null if the latest attempt did not fail. */
  backups: OutputObject({
    is_scheduled: Type.Boolean(),
    last_at: Nullable(Timestamp),
    last_bytes: Nullable(Type.Integer()),
    failed_at: Nullable(Timestamp),
  }),
  /** Exports for a warehouse. `failed_at` is null if the latest attempt did not fail. */
  exports: OutputObject({
    is_scheduled: Type.Boolean(),
    last_at: Nullable(Timestamp),
    last_rows: Nullable(Type.Integer()),
    failed_at: Nullable(Timestamp),
    /** How far a node is with an export; null while none exports. */
    progress: Nullable(Type.String()),
  }),
  /** Networks from which requests came with `X-Forwarded-…` although USHER_TRUST_PROXY does not name them. */
  untrusted_proxies: Type.Array(OutputObject({ network: Type.String(), requests: Type.Integer() })),
  /** When the slow checks last ran on this server: the public URL, and the file of SQLite; null before the first time. */
  slow_checks_at: Nullable(Timestamp),
  checks: Type.Array(HealthCheck),
});
export type Health = Static<typeof Health>;

export const HealthInput = Type.Object({
  full: Type.Unsafe<boolean>({
    type: 'boolean',
    default: false,
    description: '`true` to check the public URL and the database file too, which takes seconds',
  }),
});
