declare module '../../../context.ts' {
  interface AppContext {
    /** Which Experiences pages have reported about, so that their steps are checked. */
    readonly stepChecks: StepChecks;
  }
}

/** Remembers in memory which Experiences pages have reported about since they were last checked. It is called for each report. */
export class StepChecks {
  /** Experiences by account. */
  #pending = new Map<string, Set<string>>();

  add(accountId: string, experienceId: string): void {
    const experiences = this.#pending.get(accountId);
    if (experiences) experiences.add(experienceId);
    else this.#pending.set(accountId, new Set([experienceId]));
  }

  /** Returns what was added since the last call. */
  take(): ReadonlyMap<string, ReadonlySet<string>> {
    const taken = this.#pending;
    this.#pending = new Map();
    return taken;
  }
}
