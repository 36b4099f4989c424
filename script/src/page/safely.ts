/** Runs code of the script, or code of others, without letting an error reach the page. */
export function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    console.debug('usher', error);
    return undefined;
  }
}
