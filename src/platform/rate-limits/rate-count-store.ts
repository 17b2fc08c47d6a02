/** Where instances add up what each of them counted. By itself it is for one that is alone. */
export class RateCountStore {
  /** Tells whether other instances add to the same counts. */
  isShared(): boolean {
    return false;
  }

  /**
   * Adds to the count of one key in one window.
   * @param id stands for limit, key and window
   * @param endsAt when nobody needs the count any more
   * @returns the sum of all instances
   */
  add(_id: Buffer, requests: number, _endsAt: Date): Promise<number> {
    return Promise.resolve(requests);
  }

  /**
   * @param _signal when to stop, between two transactions
   * @returns how many counts of former windows were removed
   */
  forgetOld(_now: Date, _signal?: AbortSignal): Promise<number> {
    return Promise.resolve(0);
  }
}
