/**
 * Waits for two queries of one transaction until both have ended, even if one fails: otherwise the other one would run
 * after the transaction. Throws the first error, because on PostgreSQL all later queries fail too and do not say why.
 */
export async function awaitBoth<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  try {
    return await Promise.all([one, other]);
  } finally {
    await Promise.allSettled([one, other]);
  }
}
