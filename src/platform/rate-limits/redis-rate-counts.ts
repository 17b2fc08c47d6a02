import { Logger } from '@nestjs/common';
import { RateCountStore } from './rate-count-store.js';

const CONNECT_TIMEOUT_MS = 2_000;
/** Silence of this length is no answer. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Longest pause before Redis is looked for again. */
const RECONNECT_MAX_MS = 5_000;
/** Commands that may wait for a Redis that does not answer. */
const QUEUE_MAX = 100;
const PREFIX = 'form-collection-service:rate:';

/** The part of the client that is used here. */
type Client = Awaited<ReturnType<typeof connect>>;

/** Counts of instances that share a Redis. */
export class RedisCounts extends RateCountStore {
  private constructor(private readonly client: Client) {
    super();
  }

  /** Begins to connect; until there is a connection, it is not ready. */
  static async open(url: string): Promise<RedisCounts> {
    return new RedisCounts(await connect(url));
  }

  override isReady(): boolean {
    return this.client.isReady;
  }

  override async add(id: Buffer, requests: number, endsAt: Date): Promise<number> {
    const key = PREFIX + id.toString('hex');
    const [sum] = await this.client
      .multi()
      .incrBy(key, requests)
      .pExpireAt(key, endsAt.getTime())
      .exec();
    return Number(sum);
  }

  override close(): Promise<void> {
    this.client.destroy();
    return Promise.resolve();
  }
}

async function connect(url: string) {
  const { createClient } = await import('@redis/client');
  const logger = new Logger('Redis');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: QUEUE_MAX,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, RECONNECT_MAX_MS),
    },
  });
  let reachable = true;
  client.on('ready', () => {
    reachable = true;
  });
  client.on('error', (error: unknown) => {
    if (reachable) logger.warn('Redis is away; each instance limits by itself', { error });
    reachable = false;
  });
  client.connect().catch(() => undefined); // told by the event
  return client;
}

/**
 * Connects to Redis once, as instances do, and asks for an answer.
 * @param url of REDIS_URL
 * @throws what keeps it from answering, after a few seconds at most
 */
export async function pingRedis(url: string): Promise<void> {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: ANSWER_TIMEOUT_MS,
      reconnectStrategy: false,
    },
  });
  client.on('error', () => undefined); // thrown by what was asked
  try {
    await client.connect();
    await client.ping();
  } finally {
    if (client.isOpen) client.destroy();
  }
}
