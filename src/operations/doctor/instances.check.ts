import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Config } from '../../platform/config/config.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { keptText } from '../../platform/kernel/kept-text.js';
import { MINUTE_MS } from '../../platform/kernel/time/durations.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import type { Check, Outcome } from './check.js';
import { RunningInstancesRepository } from './running-instances.repository.js';

const EVERY_MS = MINUTE_MS;
/** How long a process counts as running that says so no more, since it was killed. */
const ALIVE_SECONDS = 150;
/** The file in DATA_DIR that tells it from other folders, and its random bytes. */
const FOLDER_FILE = 'folder.id';
const FOLDER_BYTES = 12;
const NAMED_MAX = 5;

/** Checks that all running instances share the folder and can read each other's secrets; each tells the others of itself. */
@Injectable()
export class InstancesCheck implements Check, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly name = 'instances';
  readonly settings = ['DATA_DIR', 'SECRET_KEY'];

  private readonly logger = new Logger(InstancesCheck.name);
  private readonly id = makeUuid();
  private timer: NodeJS.Timeout | undefined;
  private telling: Promise<void> = Promise.resolve();

  constructor(
    private readonly rows: RunningInstancesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    private readonly config: Config,
    private readonly http: HttpAdapterHost,
  ) {}

  /** Begins in each process of the service, which a command is not. */
  async onApplicationBootstrap(): Promise<void> {
    // Nest's types promise an adapter where there is none.
    const adapter = this.http.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    if (!adapter) return;
    const tell = () =>
      (this.telling = this.tell().catch((error: unknown) => {
        this.logger.warn('This instance could not tell the others that it runs', { error });
      }));
    this.timer = setInterval(() => void tell(), EVERY_MS).unref();
    await tell();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.telling;
    // Without a database, its row ends by itself.
    await this.unitOfWork.run((tx) => this.rows.in(tx).forget(this.id)).catch(() => undefined);
  }

  async run(): Promise<Outcome> {
    const folderId = await this.folderId();
    const keyIds = await this.secrets.keyIds();
    const all = await this.rows.alive();
    if (all.length === 0) return { state: 'ok', detail: 'No instance is running.' };
    const elsewhere = all.filter((other) => other.folderId !== folderId);
    const locked = all.filter((other) => keyIds.every((id) => !id.equals(other.keyId)));
    // Without SECRET_KEY the key is in the folder, so that another folder has another key.
    const isKeyThere = elsewhere.length > 0 && this.config.secrets.keys.length === 0;
    const problems: string[] = [];
    if (elsewhere.length > 0) {
      problems.push(
        `Another DATA_DIR: ${named(elsewhere)}. Files and exports that one stores are missing on the other. Let all instances share one folder.${isKeyThere ? ' The key of secrets is there too.' : ''}`,
      );
    }
    if (locked.length > 0 && !isKeyThere) {
      problems.push(
        `A key that this process lacks: ${named(locked)}. It cannot read the secrets that they store. Set the same SECRET_KEY for all instances.`,
      );
    }
    if (problems.length > 0) return { state: 'failed', detail: problems.join(' ') };
    const detail =
      all.length === 1
        ? 'One instance is running.'
        : `The ${all.length} running instances share DATA_DIR, and read each other's secrets.`;
    return { state: 'ok', detail };
  }

  private async tell(): Promise<void> {
    const folderId = await this.folderId();
    const [keyId] = await this.secrets.keyIds();
    if (!keyId) return;
    const name = `${hostname().slice(0, 64)}, process ${process.pid}`;
    const own = { id: this.id, name, folderId, keyId };
    await this.unitOfWork.run((tx) => this.rows.in(tx).put(own, ALIVE_SECONDS));
  }

  private folderId(): Promise<string> {
    return keptText(join(this.config.dataDir, FOLDER_FILE), FOLDER_BYTES);
  }
}

function named(instances: readonly { name: string }[]): string {
  const names = instances.slice(0, NAMED_MAX).map(({ name }) => name);
  const more = instances.length - names.length;
  return names.join('; ') + (more > 0 ? `; ${more} more` : '');
}
