import { type HealthCheck, isFromWrongClock, type Millis, toTimestamp } from '@usher/domain';
import type { DatabaseFindings } from '../../../db/inspect-database.ts';
import { checkAddress } from './check-address.ts';
import { type Judgement, toCheck } from './judgement.ts';
import type { SetupFacts } from './setup-facts.ts';

const MAX_CLOCK_DIFFERENCE_MS = 5000;
const MAX_LOG_BYTES = 500_000_000;
const MIN_NODE = 22;

/** Checks what the figures of the server do not show. Each check says what its finding means and what to do. */
export function checkSetup(facts: SetupFacts): HealthCheck[] {
  const { database, disk } = facts;
  return [
    ...(database?.unusable || database?.isReadOnly
      ? [toCheck('storage', { problem: database.unusable ? toSentence(database.unusable) : onlyRead })]
      : []),
    toCheck('node', checkNode(facts)),
    ...(database ? [toCheck('clock', checkClock(facts))] : []),
    ...(database && database.integrity !== null ? [toCheck('integrity', checkIntegrity(database.integrity))] : []),
    ...(facts.storage?.engine === 'sqlite' && database ? [toCheck('deleted_data', checkDeletedData(database))] : []),
    ...(disk ? [toCheck('log', checkLog(disk.logBytes))] : []),
    toCheck('files', checkFiles(facts)),
    toCheck('secrets', checkSecrets(facts)),
    ...checkAddress(facts),
    ...(database ? [toCheck('receivers', checkReceivers(database))] : []),
    toCheck('streams', checkStreams(facts)),
  ];
}

const onlyRead =
  'The database can only be read, so nothing is stored: let DATABASE_URL lead to the primary, or turn default_transaction_read_only off.';

function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function checkNode({ nodeVersion }: SetupFacts): Judgement {
  const major = Number.parseInt(nodeVersion, 10);
  if (major >= MIN_NODE) return { good: 'This version gets security fixes.' };
  return { attention: `Node ${major} is past its end of life: 24 is recommended.` };
}

function checkClock({ database, now }: SetupFacts): Judgement {
  const ahead = database?.ahead ?? 0;
  if (Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS)
    return {
      attention: `The clock of this machine is ${Math.round(Math.abs(ahead) / 1000)} seconds ${ahead > 0 ? 'behind' : 'ahead of'} the database server: set it by NTP.`,
    };
  const wrong = describeFutureRecord(database?.newestAt ?? null, now);
  if (wrong !== undefined) return { attention: wrong };
  return { good: 'The clock of this machine fits the times in the database.' };
}

/** Explains a record from the future; undefined if there is none. */
export function describeFutureRecord(newestAt: Millis | null, now: Millis): string | undefined {
  if (newestAt === null || !isFromWrongClock(newestAt, now)) return undefined;
  return `The newest record is from ${toTimestamp(newestAt)}, and the clock of this machine says ${toTimestamp(now)}: it is behind, or it was ahead when the record was written. Set it by NTP. Until that time new records are listed in the right order with this created_at; all other times are right.`;
}

function checkIntegrity(result: string): Judgement {
  if (result === 'ok') return { good: 'The file is intact.' };
  return { problem: 'The file is damaged: stop the server, keep a copy of the file, and restore the last backup.' };
}

function checkDeletedData({ hasClearGaps, isTooLargeToClear }: DatabaseFindings): Judgement {
  if (isTooLargeToClear)
    return {
      attention:
        'Copies of deleted rows stay in a file of 64 GB or more: move to PostgreSQL (docs/scale.md), or run “usher compact” if much was deleted.',
    };
  if (hasClearGaps === null)
    return {
      attention:
        'Copies of deleted rows cannot be removed from a file with auto-vacuum: run “usher compact”, which turns it off.',
    };
  return {
    good: hasClearGaps
      ? 'Nothing is left of it, and deletions look only at what was written since.'
      : 'The running server goes through the whole file once. Until it is done, each deletion does so, and takes longer.',
  };
}

function checkLog(bytes: number): Judgement {
  if (bytes < MAX_LOG_BYTES) return { good: 'The write-ahead log is short.' };
  return {
    attention: 'The write-ahead log has grown over 500 MB, because something reads for very long: restart the server.',
  };
}

function checkFiles({ files: { open, foreign } }: SetupFacts): Judgement {
  if (open.length > 0)
    return {
      problem: `Other users of this machine can read ${open.join(', ')}: chmod 700 the folder and 600 the files.`,
    };
  if (foreign.length > 0)
    return { attention: `Another user owns ${foreign.join(', ')}: chown it to the user that runs the server.` };
  return { good: 'Only the user of the server can read its files.' };
}

function checkSecrets({ database, masterKeys, keyIsInEnvironment }: SetupFacts): Judgement {
  if (typeof masterKeys === 'string') return { problem: `The master key cannot be read: ${masterKeys}.` };
  const used = database?.masterKey;
  if (used !== undefined && masterKeys === undefined)
    return {
      problem: `The master key ${used} is missing: set USHER_MASTER_KEY or USHER_MASTER_KEY_FILE; if it is lost for good, usher key reset.`,
    };
  if (used !== undefined && masterKeys && !masterKeys.includes(used))
    return {
      problem: `The master key is wrong: the database needs ${used}, and this one is ${masterKeys.join(', ')}.`,
    };
  if (database && database.plainKeys > 0)
    return { problem: 'Keys of accounts are not encrypted: restart the server, which encrypts them.' };
  if (masterKeys === undefined) return { good: 'There is no master key yet: the first start creates it.' };
  if (!database)
    return { good: 'There is a master key. Without the database it is not known whether it is the right one.' };
  return {
    good: keyIsInEnvironment
      ? 'Keys are encrypted. The master key is in the environment: every process of that user can read it.'
      : 'Keys are encrypted. The master key is a file: keep a copy of it elsewhere, and not with the backups.',
  };
}

function checkReceivers({ failingWebhooks, disabledWebhooks }: NonNullable<SetupFacts['database']>): Judgement {
  if (failingWebhooks > 0)
    return {
      attention: `${failingWebhooks} ${failingWebhooks === 1 ? 'webhook has' : 'webhooks have'} failed for more than a day, and will be disabled after five: Settings → Webhooks in the dashboard says why.`,
    };
  if (disabledWebhooks > 0)
    return {
      attention: `${disabledWebhooks} ${disabledWebhooks === 1 ? 'webhook was' : 'webhooks were'} disabled after failures: repair the receiver, then turn the webhook on.`,
    };
  return { good: 'No webhook fails for long.' };
}

function checkStreams({ streams, connections }: SetupFacts): Judgement {
  if (streams === 0) return { good: 'They are turned off: pages learn of events of the backend when they are loaded.' };
  if (connections > 0 && streams >= connections)
    return {
      attention: `USHER_STREAMS (${streams}) can take all connections: raise USHER_CONNECTIONS (${connections}) above it.`,
    };
  return { good: `Pages of up to ${streams} browsers can wait for events.` };
}

/** Only for a database that no server has opened yet: a server applies missing migrations when it starts. */
export function checkSchema({
  database,
  knownMigrations,
}: Pick<SetupFacts, 'database' | 'knownMigrations'>): Judgement {
  const applied = database?.migrations ?? [];
  const newer = applied.filter((name) => !knownMigrations.includes(name));
  const missing = knownMigrations.filter((name) => !applied.includes(name));
  if (newer.length > 0)
    return {
      problem: `A newer version of Usher has changed the schema (${newer.at(-1)}): use that version here, too.`,
    };
  if (applied.length === 0) return { attention: 'The database is empty: usher serve creates its tables.' };
  if (missing.length > 0)
    return {
      attention: `${missing.length} ${missing.length === 1 ? 'migration is' : 'migrations are'} missing: make a backup, then start this version or run usher migrate.`,
    };
  return { good: 'The database fits this version.' };
}
