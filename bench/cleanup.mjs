/** What has to be undone, in the reverse order of how it was done. */
export class Cleanup {
  /** @type {(() => unknown)[]} */
  #stops = [];
  /** @type {Promise<void> | undefined} */
  #running;

  /**
   * Registers what to undo at the end. If the cleanup runs already, it is undone immediately, and the caller is stopped.
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
