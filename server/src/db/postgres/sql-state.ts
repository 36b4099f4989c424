/** The SQLSTATE of an error of PostgreSQL, or the code of a connection error; empty if there is neither. */
export function sqlStateOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return String((first as { code?: unknown } | null)?.code ?? '');
}
