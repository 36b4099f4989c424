import type { QuotaName } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { Stored } from '../../../pages/page-counts.ts';

type Kind = Extract<QuotaName, 'reports' | 'problems' | 'responses'>;

/** Knows how much the reports of one request may still store, and collects how much they have stored. */
export class ReportRoom {
  readonly #ctx: Context;
  readonly #isLimited: boolean;
  readonly #surveyId: string | undefined;
  readonly #stored: Record<Kind, Stored> = {
    reports: { records: 0, bytes: 0 },
    problems: { records: 0, bytes: 0 },
    responses: { records: 0, bytes: 0 },
  };
  readonly #rejected = new Map<Kind, number>();

  /** Only unproven pages are limited. `surveyId` is the survey on whose public page somebody answers. */
  constructor(ctx: Context, { isProven }: { isProven: boolean }, surveyId?: string) {
    this.#ctx = ctx;
    this.#isLimited = !isProven;
    this.#surveyId = surveyId;
  }

  /** Whether there is room for one more. */
  allows(kind: Kind): boolean {
    const { app, account } = this.#ctx;
    if (!this.#isLimited || app.pageCounts.hasRoom(account.id, kind, this.#stored[kind])) return true;
    this.#rejected.set(kind, (this.#rejected.get(kind) ?? 0) + 1);
    return false;
  }

  add(kind: Kind, bytes: number, records = 0): void {
    this.#stored[kind].bytes += bytes;
    this.#stored[kind].records += records;
  }

  /** Counts everything. Call it after the commit. */
  count(): void {
    if (!this.#isLimited) return;
    const { app, account } = this.#ctx;
    for (const [kind, stored] of Object.entries(this.#stored))
      app.pageCounts.addStored(account.id, kind as Kind, stored);
    if (this.#surveyId !== undefined)
      for (const kind of ['reports', 'responses'] as const)
        app.pageCounts.addBytesOfSurvey(account.id, kind, this.#surveyId, this.#stored[kind].bytes);
    for (const [kind, times] of this.#rejected) app.pageCounts.add(account.id, `${kind}_quota`, times);
  }
}
