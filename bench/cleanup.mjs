/** What has to be undone, in the reverse order of how it was done. */
export class Cleanup {
  /** @type {(() => unknown)[]} */
  #stops = [];
  /** @type {Promise<void> | undefined} */
  #running;

  /**
   * Too late, when everything is being undone already: then this is undone at once and whoever did it is stopped.
   * @param {() => unknown} stop
   */
  async add(stop) {
    if (!this.#running) {
      this.#stops.push(stop);
      return;
    }
    await stop();
    throw new Error('Stopped');
  }

  run() {
    this.#running ??= this.#undo();
    return this.#running;
  }

  async #undo() {
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop()) {
      try {
        await stop();
      } catch (error) {
        console.error(error);
      }
    }
  }
}
