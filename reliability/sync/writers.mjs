import { callApi } from './call-api.mjs';

const BATCH_SIZE = 100;

/**
 * @typedef {object} TestData
 * @property {string} token the token of the account
 * @property {string} tour a published tour
 * @property {string} edited a draft that is edited
 * @property {string} survey
 * @property {string} step
 */

/** Creates records of every kind, each time for a new user. The first writer also stores batches. */
export class Writer {
  #n;
  #port;
  #data;
  #counts;
  #round = 0;

  /**
   * @param {number} n
   * @param {number} port
   * @param {TestData} data
   * @param {{ records: number }} counts
   */
  constructor(n, port, data, counts) {
    this.#n = n;
    this.#port = port;
    this.#data = data;
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
  #countRecords(count) {
    this.#counts.records += count;
  }

  /** A user loads a page, gets a Delivery, completes the tour, and answers a survey. */
  async #user() {
    const { token, tour, survey, step } = this.#data;
    const visit = { account_token: token, uid: this.#name, href: 'http://localhost/' };
    const page = await callApi(this.#port, '/v3/observe/visits', { content: visit });
    this.#countRecords(1);
    const delivered = { model_id: tour, model_kind: 'tour', profile_id: page.profile.id };
    await callApi(this.#port, '/v3/edit/deliveries', { content: delivered });
    this.#countRecords(1);
    const report = (/** @type {object} */ params) =>
      callApi(this.#port, '/v3/observe/interactions', { content: { visit_token: page.visit.token, ...params } });
    await report({ experience_id: tour, state: 'started' });
    this.#countRecords(1);
    await report({ experience_id: survey, step_id: step, response: { value: this.#round % 11 } });
    this.#countRecords(2);
    await report({ experience_id: tour, state: 'completed' });
  }

  async #administrator() {
    const edit = { name: this.#name };
    await callApi(this.#port, `/v3/edit/tours/${this.#data.edited}`, { method: 'PATCH', content: edit });
    await callApi(this.#port, '/v3/edit/tags', { content: { name: 'Tag', uid: this.#name } });
    await callApi(this.#port, '/v3/observe/hooks/companies', { content: { uid: this.#name } });
    this.#countRecords(3);
    if (this.#round % 50 !== this.#n) return;
    const url = { host: `${this.#name}.example.com`, enabled: 'off' };
    await callApi(this.#port, '/v3/edit/urls', { content: url });
    await callApi(this.#port, '/v3/edit/tours', { content: { name: this.#name } });
    this.#countRecords(3);
  }

  async #batch() {
    const profiles = Array.from({ length: BATCH_SIZE }, (_, n) => ({ uid: `${this.#name}-${n}`, plan: 'pro' }));
    await callApi(this.#port, '/v3/observe/hooks/profiles/batch', { content: { profiles } });
    this.#countRecords(BATCH_SIZE);
  }
}
