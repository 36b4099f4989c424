interface Station {
  name: string;
  seconds: number;
}

/** Runs the stations one after the other, and takes the time of each. */
export class Stations {
  readonly #visited: Station[] = [];

  async visit(name: string, work: () => Promise<void>): Promise<void> {
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1000;
    this.#visited.push({ name, seconds });
    console.log(`${this.#visited.length}. ${name}: ${seconds.toFixed(1)} s`);
  }

  /** The times as a table, with their total. */
  table(title: string): string {
    const total = this.#visited.reduce((sum, { seconds }) => sum + seconds, 0);
    const lines = this.#visited.map(({ name, seconds }, at) => line(`${at + 1}. ${name}`, seconds));
    return ['', title, ...lines, line('total', total), ''].join('\n');
  }
}

const line = (name: string, seconds: number) => `${name.padEnd(70)} ${seconds.toFixed(1).padStart(6)} s`;
