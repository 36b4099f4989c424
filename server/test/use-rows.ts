import { TICKS_PER_MS } from '@usher/domain';
import type { Insertable } from 'kysely';
import type { AppContext, Context } from '../src/context.ts';
import type { Schema } from '../src/db/schema.ts';
import { createCountsContext } from '../src/features/results/counts/recount-accounts.ts';
import { recount } from '../src/features/results/counts/use-counts.ts';
import { storeScores } from '../src/features/results/responses/queries.ts';

/** Makes the counts of an account again, after rows were inserted without counting them. */
export async function recountUse({ storage, now }: AppContext, account_id: string): Promise<void> {
  await storage.write(account_id, (db) => recount(createCountsContext(storage, db, account_id, now())));
}

type Row<Table extends 'interactions' | 'responses'> = Partial<Insertable<Schema[Table]>>;
interface Of {
  account_id: string;
  experience_id: string;
  profile_id: string;
}

/** Inserts an Interaction and returns its ID. */
export async function addInteraction(app: AppContext, of: Of, params: Row<'interactions'> = {}): Promise<string> {
  const row = { ...of, id: app.newId(), updated_at: app.now(), state: 'started' as const, ...params };
  const updated_tick = row.updated_at * TICKS_PER_MS;
  await app.storage.write(of.account_id, (db) =>
    db
      .insertInto('interactions')
      .values({ updated_tick, ...row })
      .execute(),
  );
  await recountUse(app, of.account_id);
  return row.id;
}

type Answer = Partial<Omit<Insertable<Schema['answers']>, 'response_id' | keyof Of>>;

/** Inserts a Response with one answer or more, and returns its ID. */
export async function addResponse(
  app: AppContext,
  of: Of,
  {
    id = app.newId(),
    updated_at = app.now(),
    showing_from,
    href,
    finished_at,
    language,
    ...answer
  }: Row<'responses'> & Answer = {},
  ...more: Answer[]
): Promise<string> {
  const updated_tick = Number(updated_at) * TICKS_PER_MS;
  const response = {
    ...of,
    id,
    updated_at,
    updated_tick,
    showing_from: showing_from ?? ++showings,
    href,
    finished_at,
    language,
  };
  const answers = [answer, ...more].map((one, question_order) => ({
    ...of,
    response_id: id,
    step_id: '',
    question_order,
    ...one,
  }));
  await app.storage.write(of.account_id, async (db) => {
    await db.insertInto('responses').values(response).execute();
    await db.insertInto('answers').values(answers).execute();
    await storeScores({ account: { id: of.account_id }, db } as Pick<Context, 'account' | 'db'>, [id]);
  });
  await recountUse(app, of.account_id);
  return id;
}
let showings = 1_000_000;

/** Inserts that a user did something on a day. */
export async function addActivity(
  app: AppContext,
  of: Of,
  day: number,
  what: Schema['activities']['what'],
  part_id = '',
): Promise<void> {
  await app.storage.write(of.account_id, (db) =>
    db
      .insertInto('activities')
      .values({ ...of, day, what, part_id })
      .execute(),
  );
  await recountUse(app, of.account_id);
}

/** Inserts that an Experience was hidden from a user on a page, on a day. */
export async function addFinding(app: AppContext, of: Of, day: number, path: string): Promise<void> {
  await app.storage.write(of.account_id, (db) =>
    db
      .insertInto('findings')
      .values({ ...of, day, part_id: of.experience_id, path, finding: 'hidden', at: app.now() })
      .execute(),
  );
}
