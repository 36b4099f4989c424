/**
 * Thrown inside a transaction that has found out too late what it must lock first: it begins again. Only PostgreSQL has
 * transactions at the same time.
 */
export class TransactionConflict extends Error {
  /** A serialization failure, as PostgreSQL itself reports one. */
  readonly code = '40001';
}
