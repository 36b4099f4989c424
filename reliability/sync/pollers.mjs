import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from './call-api.mjs';

const PAUSE_MS = 20;
const LIMIT = 100;

/** @typedef {{ id: string, updated_at: string, state?: string }} Row */

/** A client that follows a list: it requests the records after the newest one that it has. */
export class Poller {
  polls = 0;
  /** @type {string | undefined} */
  after;
  /** How often each record was received. @type {Map<string, number>} */
  #seen = new Map();

  /**
   * @param {number} port
   * @param {string} path
   */
  constructor(port, path) {
    this.port = port;
    this.path = path;
  }

  /** @param {() => boolean} isWritten */
  async pollUntil(isWritten) {
    for (;;) {
      const last = isWritten();
      await this.poll();
      this.polls += 1;
      if (last) return;
      await pause(PAUSE_MS);
    }
  }

  /** Reads all pages of new records, then moves the cursor. */
  async poll() {
    const { rows, first } = await this.read(this.after);
    for (const row of rows) this.receive(row);
    this.moveTo(first);
  }

  /** @param {{ rows: Row[], cursor: { after?: string | null } }} first */
  moveTo({ rows }) {
    this.after = rows[0]?.id ?? this.after;
  }

  /** @param {Row} row */
  receive({ id }) {
    this.#seen.set(id, (this.#seen.get(id) ?? 0) + 1);
  }

  /** @param {string | undefined} after */
  async read(after) {
    /** @type {Row[]} */
    const rows = [];
    let first;
    for (let before = null; first === undefined || before !== null; ) {
      const query = new URLSearchParams({ limit: String(LIMIT), ...(after && { after }), ...(before && { before }) });
      const body = await callApi(this.port, `${this.path}${this.path.includes('?') ? '&' : '?'}${query}`);
      const page = { rows: /** @type {Row[]} */ (Object.values(body)[0]), cursor: body.cursor };
      first ??= page;
      rows.push(...page.rows);
      before = page.cursor.before;
    }
    return { rows, first };
  }

  /** Compares the current list with the received records. */
  async compare() {
    const { rows } = await this.read(undefined);
    const missed = rows.filter(({ id }) => !this.#seen.has(id)).length;
    const twice = [...this.#seen.values()].filter((times) => times > 1).length;
    return { missed, twice, seen: this.#seen.size };
  }
}

/** Follows a list in which updated records move to the front. At the end it must have the current state of each record. */
export class UpdatePoller extends Poller {
  /** @type {Map<string, string>} */
  #states = new Map();
  #twice = 0;

  /** @param {Row} row */
  receive(row) {
    if (this.#states.get(row.id) === stateOf(row)) this.#twice += 1;
    this.#states.set(row.id, stateOf(row));
  }

  /** @param {{ rows: Row[], cursor: { after?: string | null } }} first */
  moveTo({ rows, cursor }) {
    // Without a cursor in the response, the next request uses the time of the newest record.
    this.after = cursor.after ?? rows[0]?.updated_at ?? this.after;
  }

  async compare() {
    const { rows } = await this.read(undefined);
    const missed = rows.filter((row) => this.#states.get(row.id) !== stateOf(row)).length;
    return { missed, twice: this.#twice, seen: this.#states.size };
  }
}

/** @param {Row} row */
function stateOf(row) {
  return JSON.stringify(row);
}
