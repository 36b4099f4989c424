/**
 * For two that query in one transaction: both come to their end, also when one fails, as what is still to come would run
 * after the transaction. What failed first is thrown: with PostgreSQL all that comes after it fails as well, and does not
 * tell why.
 */
export async function together<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  try {
    return await Promise.all([one, other]);
  } finally {
    await Promise.allSettled([one, other]);
  }
}
