import type { PageAddress, UrlPrefix } from '@usher/domain';

interface HasUrlPrefixes {
  urlPrefixes: readonly UrlPrefix[];
}

/** Every length of a path is one look: the rest of a longer path is left to the pattern itself. */
const MAX_PATH = 200;

/** Of one host, or of all: what can be anywhere on it, and what only below a path. */
class Paths {
  readonly anywhere: number[] = [];
  readonly #byPath = new Map<string, number[]>();
  readonly #lengths = new Set<number>();

  add(whole: string | undefined, place: number): void {
    const path = whole?.slice(0, MAX_PATH);
    if (path === undefined) this.anywhere.push(place);
    else {
      this.#lengths.add(path.length);
      const places = this.#byPath.get(path);
      if (places) places.push(place);
      else this.#byPath.set(path, [place]);
    }
  }

  find(path: string, found: Set<number>): void {
    for (const place of this.anywhere) found.add(place);
    for (const length of this.#lengths) {
      if (length > path.length) continue;
      for (const place of this.#byPath.get(path.slice(0, length)) ?? []) found.add(place);
    }
  }
}

/** Finds those that can begin on a page without asking those that are anchored elsewhere. */
export class UrlIndex<Of extends HasUrlPrefixes> {
  readonly #all: readonly Of[];
  readonly #everyHost = new Paths();
  readonly #byHost = new Map<string, Paths>();
  readonly #byPage = new WeakMap<PageAddress, readonly Of[]>();

  constructor(all: readonly Of[]) {
    this.#all = all;
    for (const [place, { urlPrefixes }] of all.entries())
      for (const { host, path } of urlPrefixes) this.#pathsOf(host).add(path, place);
  }

  /** In the order in which they were given; of a page that was asked for before, at once. */
  candidates(page: PageAddress): readonly Of[] {
    const known = this.#byPage.get(page) ?? this.#find(page);
    this.#byPage.set(page, known);
    return known;
  }

  #find({ host, path }: PageAddress): Of[] {
    const found = new Set<number>();
    this.#everyHost.find(path, found);
    this.#byHost.get(host)?.find(path, found);
    return [...found].sort((one, other) => one - other).map((place) => this.#all[place] as Of);
  }

  #pathsOf(host: string | undefined): Paths {
    if (host === undefined) return this.#everyHost;
    const known = this.#byHost.get(host) ?? new Paths();
    this.#byHost.set(host, known);
    return known;
  }
}
