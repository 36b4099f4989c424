import type { Millis, MoveProgress, MoveStage, StageProgress } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';
import { writeInChunks } from '../../experiences/changes/record-changes.ts';
import type { MovedPictures } from './move-pictures.ts';
import { Source, SourceFailure, type SourceOptions } from './source.ts';
import type { SourceExperience } from './stages/read-experiences.ts';
import type { SourceTranslations } from './stages/read-translations.ts';

/** More often than a claim ends. */
const BEAT_MS: Millis = 3000;

/**
 * A dry run reads everything first, and rolls each record back. Then it stores all of it in one transaction of the caller, who rolls that
 * back, so that records find what they refer to.
 */
export type MoveMode = 'store' | 'read' | 'check';

export interface RunOptions {
  ctx: Context;
  source: Omit<SourceOptions, 'onRequest'>;
  claim: string;
  progress: MoveProgress;
  mode: MoveMode;
  /** The pictures that a dry run has found before. */
  pictures: MovedPictures;
  secrets: { verification?: string | undefined; webhooks: ReadonlyMap<string, string> };
  onProgress(progress: MoveProgress, stage: MoveStage): void;
}

/** Rolls a transaction of a dry run back. */
class DryRun extends Error {}

/** One run of a move: what its stages share. */
export class MoveRun {
  readonly ctx: Context;
  readonly source: Source;
  readonly progress: MoveProgress;
  readonly mode: MoveMode;
  readonly secrets: RunOptions['secrets'];
  /** The Experiences of the other service, once they were read. */
  experiences: Promise<SourceExperience[]> | undefined;
  /** The same, with the paths of their pictures here. */
  withPictures: Promise<SourceExperience[]> | undefined;
  /** Their texts in other languages. */
  translations: Promise<SourceTranslations> | undefined;
  /** Whether the other service may know details of Responses, such as their Tags. */
  givesDetails = true;
  /** Their pictures. */
  readonly pictures: MovedPictures;
  /** In a dry run, the problems that were found. */
  readonly found: { stage: MoveStage; record_id: string; message: string }[] = [];
  readonly #options: RunOptions;
  readonly #startedAt: Millis;
  #requests = 0;
  #stage: MoveStage = 'properties';

  constructor(options: RunOptions) {
    this.#options = options;
    this.ctx = options.ctx;
    this.progress = options.progress;
    this.mode = options.mode;
    this.secrets = options.secrets;
    this.pictures = options.pictures;
    this.#startedAt = options.source.now();
    const onRequest = () => {
      this.#requests++;
      this.progress.requests++;
    };
    this.source = new Source({ ...options.source, onRequest }, options.progress.pageSize);
  }

  /** Whether nothing stays stored. */
  get isDry(): boolean {
    return this.mode !== 'store';
  }

  /** Reports from time to time that this process works, also while it waits for the other service. */
  startBeating(): () => void {
    const timer = setInterval(() => {
      this.#claimed(this.ctx).catch(() => {});
    }, BEAT_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** The progress of a stage, which may have been interrupted. */
  begin(stage: MoveStage): StageProgress {
    this.#stage = stage;
    const known = this.progress.stages[stage];
    const now = this.#options.source.now();
    const fresh = {
      done: 0,
      total: null,
      isFinished: false,
      cursor: null,
      experienceId: null,
      since: null,
      problems: 0,
    };
    const started: StageProgress = known ?? { ...fresh, startedAt: now };
    this.progress.stages[stage] = started;
    this.#report();
    return started;
  }

  /** Stores records in one transaction, together with how far the stage is then. */
  async store(work: (ctx: Context) => Promise<Partial<StageProgress>>): Promise<void> {
    const stage = this.#stage;
    const before = structuredClone(this.progress);
    try {
      await this.ctx.transaction(
        async (ctx) => {
          // PostgreSQL may run this again.
          Object.assign(this.progress, structuredClone(before), { requests: this.progress.requests });
          const progress = this.progress.stages[stage] as StageProgress;
          Object.assign(progress, await work(ctx));
          this.progress.pageSize = this.source.pageSize;
          this.progress.secondsLeft = this.#secondsLeft();
          if (this.mode === 'read') throw new DryRun();
          await this.#claimed(ctx);
        },
        { isLong: true },
      );
    } catch (error) {
      if (!(error instanceof DryRun)) {
        Object.assign(this.progress, before);
        throw error;
      }
    }
    this.#report();
  }

  /**
   * Stores one record in a transaction of its own. If it is rejected, the problem is recorded, and the others go on.
   * @param work adds what it had to leave out to `problems`, and returns whether the record is new
   */
  async storeOne(id: string, work: (ctx: Context, problems: string[]) => Promise<boolean>): Promise<void> {
    const stage = this.#stage;
    try {
      await this.store(async (ctx) => {
        const problems: string[] = [];
        const isNew = await work(ctx, problems);
        return this.#withProblems(ctx, stage, id, problems, isNew ? 1 : 0);
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code >= 500) throw error;
      await this.store((ctx) => this.#withProblems(ctx, stage, id, error.messages, 0));
    }
  }

  finish(): Promise<void> {
    return this.store(async () => ({ isFinished: true, cursor: null, experienceId: null }));
  }

  /** Records what is wrong with a record. Records of users are not named: nothing of a user stays when they are forgotten. */
  async addProblems(ctx: Context, stage: MoveStage, record_id: string, messages: readonly string[]): Promise<void> {
    const of = { account_id: ctx.account.id, stage, record_id };
    if (this.mode === 'check') this.found.push(...messages.map((message) => ({ stage, record_id, message })));
    await ctx.db
      .deleteFrom('move_problems')
      .where('account_id', '=', of.account_id)
      .where('stage', '=', stage)
      .where('record_id', '=', record_id)
      .$if(record_id === '', (rows) => rows.where('message', 'in', [...messages, '']))
      .execute();
    const start = record_id === '' ? hash(messages[0] ?? '') : 0;
    const rows = messages.map((message, position) => ({ ...of, position: start + position, message }));
    await writeInChunks(rows, (chunk) => ctx.db.insertInto('move_problems').values(chunk).execute());
  }

  async #withProblems(ctx: Context, stage: MoveStage, id: string, problems: readonly string[], done: number) {
    const progress = this.progress.stages[stage] as StageProgress;
    if (problems.length > 0 || done > 0) await this.addProblems(ctx, stage, id, problems);
    return { done: progress.done + done, problems: progress.problems + (problems.length > 0 ? 1 : 0) };
  }

  /** Writes the progress, and finds whether another process has taken over or somebody has stopped the move. */
  async #claimed(ctx: Context): Promise<void> {
    if (this.mode !== 'store') return;
    const { claim } = this.#options;
    const now = ctx.app.now();
    const isInside = ctx !== this.ctx;
    const write = (db: Context['db']) =>
      db
        .updateTable('moves')
        .set({ claimed_at: now, ...(isInside && { updated_at: now, progress: JSON.stringify(this.progress) }) })
        .where('account_id', '=', ctx.account.id)
        .where('claim', '=', claim)
        .returning('claim')
        .executeTakeFirst();
    const row = isInside ? await write(ctx.db) : await ctx.app.storage.write(ctx.account.id, write);
    if (isInside && !row) throw new SourceFailure('Somebody has stopped the move, or continues it elsewhere');
  }

  #report(): void {
    this.#options.onProgress(this.progress, this.#stage);
  }

  /** How long the requests that are left take, at the speed of the requests until now. */
  #secondsLeft(): number | null {
    if (this.#requests === 0) return null;
    const perRequest = (this.#options.source.now() - this.#startedAt) / this.#requests;
    let requests = 0;
    for (const { isFinished, total, done } of Object.values(this.progress.stages))
      if (!isFinished) requests += Math.ceil(Math.max(0, (total ?? 0) - done) / this.source.pageSize) + 1;
    return Math.round((perRequest * requests) / 1000);
  }
}

/** Problems of users have no ID, so their text tells them apart. */
function hash(text: string): number {
  let value = 0;
  for (const char of text) value = (value * 31 + char.charCodeAt(0)) % 2_147_483_647;
  return value;
}
