/** Adds up counts that instances share. This default shares nothing. */
export class RateCountStore {
  /** Tells whether other instances add to the same counts. */
  isShared(): boolean {
    return false;
  }

  /**
   * Adds to the count of one key in one window.
   * @param id identifies limit, key and window
   * @param endsAt when the count is no longer needed
   * @returns the sum of all instances
   */
  add(_id: Buffer, requests: number, _endsAt: Date): Promise<number> {
    return Promise.resolve(requests);
  }

  /**
   * Removes counts of past windows.
   * @param _signal stops it between two transactions
   * @returns how many
   */
  forgetOld(_now: Date, _signal?: AbortSignal): Promise<number> {
    return Promise.resolve(0);
  }
}
