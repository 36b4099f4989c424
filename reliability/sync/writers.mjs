import { callApi } from './call-api.mjs';

const IN_A_BATCH = 100;

/**
 * @typedef {object} What
 * @property {string} token of the account
 * @property {string} tour that is live
 * @property {string} edited
 * @property {string} survey
 * @property {string} step
 */

/** Makes records of every kind, each time for a user of its own; the first one stores batches in between. */
export class Writer {
  #n;
  #port;
  #what;
  #counts;
  #round = 0;

  /**
   * @param {number} n
   * @param {number} port
   * @param {What} what
   * @param {{ records: number }} counts
   */
  constructor(n, port, what, counts) {
    this.#n = n;
    this.#port = port;
    this.#what = what;
    this.#counts = counts;
  }

  /** @param {() => boolean} isDone */
  async writeUntil(isDone) {
    while (!isDone()) {
      this.#round += 1;
      await this.#user();
      if (this.#round % 5 === this.#n % 5) await this.#administrator();
      if (this.#n === 0 && this.#round % 20 === 0) await this.#batch();
    }
  }

  get #name() {
    return `w${this.#n}-${this.#round}`;
  }

  /** @param {number} count */
  #made(count) {
    this.#counts.records += count;
  }

  /** Loads a page, is delivered a tour, goes through it, and answers a survey. */
  async #user() {
    const { token, tour, survey, step } = this.#what;
    const visit = { account_token: token, uid: this.#name, href: 'http://localhost/' };
    const page = await callApi(this.#port, '/v3/observe/visits', { content: visit });
    this.#made(1);
    const delivered = { model_id: tour, model_kind: 'tour', profile_id: page.profile.id };
    await callApi(this.#port, '/v3/edit/deliveries', { content: delivered });
    this.#made(1);
    const report = (/** @type {object} */ params) =>
      callApi(this.#port, '/v3/observe/interactions', { content: { visit_token: page.visit.token, ...params } });
    await report({ experience_id: tour, state: 'started' });
    this.#made(1);
    await report({ experience_id: survey, step_id: step, response: { value: this.#round % 11 } });
    this.#made(2);
    await report({ experience_id: tour, state: 'completed' });
  }

  async #administrator() {
    const edit = { name: this.#name };
    await callApi(this.#port, `/v3/edit/tours/${this.#what.edited}`, { method: 'PATCH', content: edit });
    await callApi(this.#port, '/v3/edit/tags', { content: { name: 'Tag', uid: this.#name } });
    await callApi(this.#port, '/v3/observe/hooks/companies', { content: { uid: this.#name } });
    this.#made(3);
    if (this.#round % 50 !== this.#n) return;
    const url = { host: `${this.#name}.example.com`, enabled: 'off' };
    await callApi(this.#port, '/v3/edit/urls', { content: url });
    await callApi(this.#port, '/v3/edit/tours', { content: { name: this.#name } });
    this.#made(3);
  }

  async #batch() {
    const profiles = Array.from({ length: IN_A_BATCH }, (_, n) => ({ uid: `${this.#name}-${n}`, plan: 'pro' }));
    await callApi(this.#port, '/v3/observe/hooks/profiles/batch', { content: { profiles } });
    this.#made(IN_A_BATCH);
  }
}
