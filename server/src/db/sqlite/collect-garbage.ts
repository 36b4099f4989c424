import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** libsql closes a file only when all statements of its connection are collected. What collects them runs a moment later. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  await new Promise(setImmediate);
}
