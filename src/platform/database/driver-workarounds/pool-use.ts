/** The connections of a pool. */
export interface PoolUse {
  inUse: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Most connections that are kept. */
  max: number;
}

/** Counts a pool's connections. Written for mysql2 3.24, which keeps them only in private lists. */
export function useOf(pool: unknown): PoolUse {
  const lists = pool as Record<
    '_allConnections' | '_freeConnections' | '_connectionQueue',
    { length: number }
  > & { config: { connectionLimit: number } };
  const idle = lists._freeConnections.length;
  return {
    inUse: lists._allConnections.length - idle,
    idle,
    waiting: lists._connectionQueue.length,
    max: lists.config.connectionLimit,
  };
}
