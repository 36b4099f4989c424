/**
 * Requests `/healthz` all the time while something runs, and returns how many milliseconds the slowest response took.
 * @template T
 * @param {number} port
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, slowest: number }>}
 */
export async function slowestHealthCheck(port, work) {
  let isDone = false;
  let slowest = 0;
  const watching = (async () => {
    while (!isDone) {
      const began = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/healthz`)).text();
      slowest = Math.max(slowest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  try {
    return { result: await work(), slowest: Math.round(slowest) };
  } finally {
    isDone = true;
    await watching;
  }
}
