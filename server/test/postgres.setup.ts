import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../scripts/postgres.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'sqlite' | 'postgres';
    postgresUrl: string;
  }
}

/** One throwaway cluster for the whole run, or the one that TEST_DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const params = process.env.TEST_DATABASE_URL;
  const postgres = params ? undefined : await startPostgres();
  project.provide('postgresUrl', params ?? postgres?.url ?? '');
  return postgres?.stop;
}
