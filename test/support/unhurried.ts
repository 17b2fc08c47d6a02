/** Does something while the clock stands by which the service ends searches and counts: a busy machine ends none. */
export async function unhurried<Result>(work: () => Promise<Result>): Promise<Result> {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}
