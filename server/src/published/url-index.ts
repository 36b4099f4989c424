import type { PageAddress, UrlPrefix } from '@usher/domain';

interface HasUrlPrefixes {
  urlPrefixes: readonly UrlPrefix[];
}

/** Each length of a path costs one lookup, so the rest of a longer path is left to the pattern itself. */
const MAX_PATH = 200;

/** The items of one host, or of all hosts, by the start of the path. Items are known by their index. */
class PathIndex {
  readonly #onAnyPath: number[] = [];
  readonly #byPath = new Map<string, number[]>();
  readonly #lengths = new Set<number>();

  add(fullPath: string | undefined, index: number): void {
    const path = fullPath?.slice(0, MAX_PATH);
    if (path === undefined) {
      this.#onAnyPath.push(index);
      return;
    }
    this.#lengths.add(path.length);
    const indexes = this.#byPath.get(path);
    if (indexes) indexes.push(index);
    else this.#byPath.set(path, [index]);
  }

  find(path: string, found: Set<number>): void {
    for (const index of this.#onAnyPath) found.add(index);
    for (const length of this.#lengths) {
      if (length > path.length) continue;
      for (const index of this.#byPath.get(path.slice(0, length)) ?? []) found.add(index);
    }
  }
}

/** Finds the items that can begin on a page, without matching the patterns of the other items. */
export class UrlIndex<Item extends HasUrlPrefixes> {
  readonly #items: readonly Item[];
  readonly #onAnyHost = new PathIndex();
  readonly #byHost = new Map<string, PathIndex>();
  readonly #byPage = new WeakMap<PageAddress, readonly Item[]>();

  constructor(items: readonly Item[]) {
    this.#items = items;
    for (const [index, { urlPrefixes }] of items.entries())
      for (const { hostname, path } of urlPrefixes) this.#pathsOf(hostname).add(path, index);
  }

  /** Lists the items in their order. The result for a page is kept for the next call. */
  candidates(page: PageAddress): readonly Item[] {
    const known = this.#byPage.get(page) ?? this.#find(page);
    this.#byPage.set(page, known);
    return known;
  }

  #find({ hostname, path }: PageAddress): Item[] {
    const found = new Set<number>();
    this.#onAnyHost.find(path, found);
    this.#byHost.get(hostname)?.find(path, found);
    return [...found].sort((first, second) => first - second).map((index) => this.#items[index] as Item);
  }

  #pathsOf(hostname: string | undefined): PathIndex {
    if (hostname === undefined) return this.#onAnyHost;
    const known = this.#byHost.get(hostname) ?? new PathIndex();
    this.#byHost.set(hostname, known);
    return known;
  }
}
