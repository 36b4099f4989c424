import { codeOf } from '../../error-code.ts';
/**
 * The prepared statement is missing, or it exists although this client never sent it: between two transactions a pooler has
 * moved the client to another connection of the server.
 */
export const statementStates = ['26000', '42P05'];
/**
 * The connection was lost or rejected, or the server is out of resources, too slow, shutting down or starting up, or can
 * only be read at the moment, or the transaction was idle for too long, because the process was stopped or cut off.
 */
const unavailableStates = /^(08|53|57|58|XX|25006|25P03)/;
const DISK_FULL = '53100';
const READ_ONLY = '25006';
const unavailableCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ENOENT)/;
const unavailableMessages =
  /^(Connection terminated|timeout exceeded|timeout expired|Client has encountered a connection error|Client was closed|The server does not support SSL)/i;

/** Returns the SQLSTATE of an error of PostgreSQL, or the code of a connection error; empty if there is neither. */
export function sqlStateOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return codeOf(first);
}

export function isPostgresUnavailable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return (
    unavailableStates.test(state) ||
    unavailableCodes.test(state) ||
    (error instanceof Error && unavailableMessages.test(error.message))
  );
}

export function isPostgresReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === READ_ONLY;
}

export function isPostgresFull(error: unknown): boolean {
  return sqlStateOf(error) === DISK_FULL;
}
