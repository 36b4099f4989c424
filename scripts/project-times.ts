import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** How many seconds of `npm test` each part may take on two cores. */
const budgets: Record<string, number> = { unit: 40, sqlite: 150, postgres: 60, browser: 90, dashboard: 120 };
const unit = new Set(['domain', 'script', 'server', 'dashboard-unit']);

/**
 * Prints the time of each part. Files of several projects run side by side and share the time, so that the parts add up to the
 * whole. Adds the numbers of passed and failed tests to the file USHER_TEST_TOTALS, from which CI sums several runs.
 */
export class ProjectTimes implements Reporter {
  readonly #running = new Map<string, string>();
  readonly #seconds = new Map<string, number>();
  #since = 0;

  onTestModuleQueued(module: TestModule): void {
    this.#share();
    this.#running.set(module.id, unit.has(module.project.name) ? 'unit' : module.project.name);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#share();
    this.#running.delete(module.id);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const inBudget = process.env.USHER_TEST_MODE === 'default' && process.env.USHER_TEST_NAMED !== '1';
    const parts = [...this.#seconds].map(([name, seconds]) => {
      const budget = inBudget ? budgets[name] : undefined;
      return `${name} ${Math.round(seconds)} s${budget === undefined ? '' : ` of ${budget}`}`;
    });
    console.log(`\nTime by project: ${parts.join(', ')}`);
    const { USHER_TEST_TOTALS: totals } = process.env;
    if (totals) appendFileSync(totals, `${count(modules, 'passed')} ${count(modules, 'failed')}\n`);
  }

  /** Gives each file that runs its share of the time since the last call. */
  #share(): void {
    const now = performance.now();
    for (const name of this.#running.values()) {
      const share = (now - this.#since) / 1000 / this.#running.size;
      this.#seconds.set(name, (this.#seconds.get(name) ?? 0) + share);
    }
    this.#since = now;
  }
}

/** A file that cannot be loaded has no tests, and counts as one that failed. */
function count(modules: readonly TestModule[], state: 'passed' | 'failed'): number {
  return modules.reduce((sum, module) => {
    const tests = [...module.children.allTests(state)].length;
    return sum + (state === 'failed' && tests === 0 && !module.ok() ? 1 : tests);
  }, 0);
}
