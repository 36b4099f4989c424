import Database from 'libsql';
import { onTestFinished } from 'vitest';
import { readSettings } from '../src/settings/settings.ts';

/** Keeps every other connection from writing to a SQLite database, until the returned function is called or the test ends. */
export function lockDatabase(env: NodeJS.ProcessEnv): () => void {
  const blocker = new Database(readSettings(env).sqliteFile);
  onTestFinished(() => void blocker.close());
  blocker.exec('begin exclusive');
  return () => blocker.exec('commit');
}
