import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../scripts/postgres.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'sqlite' | 'postgres' | undefined;
    postgresUrl: string;
    /** Whether tests may create databases from a template. Otherwise they create schemas in the given database. */
    canCopyDatabases: boolean;
  }
}

/** Starts one throwaway cluster for the whole run, or uses the database that TEST_DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const givenUrl = process.env.TEST_DATABASE_URL;
  const postgres = givenUrl ? undefined : await startPostgres();
  project.provide('postgresUrl', givenUrl ?? postgres?.url ?? '');
  project.provide('canCopyDatabases', postgres !== undefined);
  return postgres?.stop;
}
