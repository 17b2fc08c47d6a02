import mysql, { type RowDataPacket } from 'mysql2/promise';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findServer, initialiseData, untilAnswering } from '../../support/private-server.js';
import { freePort } from '../../support/program.js';
import { until } from '../../support/until.js';

const GALERA = '/usr/lib/galera/libgalera_smm.so';
const NODES = 3;
const REJOIN_MS = 60_000;
/** State transfers between nodes refuse files that belong to root. */
const USER = userInfo().username === 'root' ? 'mysql' : userInfo().username;

/** State of a node, as it reports it. */
type Status = RowDataPacket & { Value?: string };

/** Ports of a node: for SQL, its group, transfers of its state, and increments of it. */
type Ports = [sql: string, group: string, transfer: string, increments: string];

/** Returns why a cluster cannot be started here; null when it can. */
export function whyNoCluster(): string | null {
  if (!existsSync(GALERA)) return 'Galera is not installed (Debian: galera-4)';
  return findServer()?.endsWith('mariadbd') ? null : 'MariaDB is not installed';
}

/** Runs three MariaDB nodes that replicate to each other with Galera, durable at every commit. */
export class Cluster {
  private readonly running: ChildProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly ports: Ports[],
  ) {}

  static async start(): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'fcs-cluster-'));
    const cluster = new Cluster(folder, await Promise.all(Array.from({ length: NODES }, somePorts)));
    try {
      await cluster.form();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Returns the database URLs of the nodes. */
  get urls(): string[] {
    return this.ports.map(([sql]) => `mysql://root@127.0.0.1:${sql}/faults`);
  }

  /** Returns the number of the node that a URL leads to. */
  nodeAt({ port }: URL): number {
    return this.ports.findIndex(([sql]) => sql === port);
  }

  /** Ends a node at once. */
  async kill(index: number): Promise<void> {
    await end(this.running[index], 'SIGKILL');
  }

  /** Cuts a node off from the others; its clients stay connected. */
  async isolate(index: number): Promise<void> {
    await this.query(index, "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'");
  }

  /** Lets a node join the others again, and waits until all have what the others have. */
  async rejoin(index: number): Promise<void> {
    await this.query(index, "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'");
    await until(async () => {
      const size = await this.query(index, "SHOW STATUS LIKE 'wsrep_cluster_size'");
      const state = await this.query(index, "SHOW STATUS LIKE 'wsrep_local_state_comment'");
      return size[0]?.Value === String(NODES) && state[0]?.Value === 'Synced';
    }, REJOIN_MS);
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((node) => end(node, 'SIGKILL')));
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Forms the cluster. The others begin with a copy of the first node's data, so that they need only later
   * changes.
   */
  private async form(): Promise<void> {
    const program = findServer();
    if (program === null) throw new Error('Install MariaDB to run this.');
    const first = this.data(0);
    await chmod(this.folder, 0o755);
    initialiseData(program, first, `--user=${USER}`);
    await this.launch(0, '--wsrep-new-cluster');
    await this.query(0, 'CREATE DATABASE faults');
    await end(this.running[0], 'SIGTERM');
    for (let index = 1; index < NODES; index++) {
      await cp(first, this.data(index), { recursive: true });
      await rm(join(this.data(index), 'galera.cache'));
    }
    if (USER !== userInfo().username) execFileSync('chown', ['-R', USER, this.folder]);
    await this.launch(0, '--wsrep-new-cluster');
    for (let index = 1; index < NODES; index++) await this.launch(index);
  }

  private async launch(index: number, ...more: string[]): Promise<void> {
    const [sql, group, transfer, increments] = this.ports[index] ?? (await somePorts());
    const node = spawn(
      findServer() ?? '',
      [
        '--no-defaults',
        `--user=${USER}`,
        `--datadir=${this.data(index)}`,
        `--socket=${join(this.data(index), 'socket')}`,
        `--port=${sql}`,
        '--bind-address=127.0.0.1',
        '--innodb-flush-log-at-trx-commit=1',
        '--innodb-autoinc-lock-mode=2',
        '--innodb-log-file-size=32M',
        '--skip-log-bin',
        '--binlog-format=ROW',
        '--wsrep-on=ON',
        `--wsrep-provider=${GALERA}`,
        `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${increments};gcache.size=32M`,
        `--wsrep-cluster-address=gcomm://${this.ports.map(([, port]) => `127.0.0.1:${port}`).join(',')}`,
        `--wsrep-node-address=127.0.0.1:${group}`,
        '--wsrep-sst-method=rsync',
        `--wsrep-sst-receive-address=127.0.0.1:${transfer}`,
        ...more,
      ],
      { stdio: 'ignore' },
    );
    this.running[index] = node;
    await untilAnswering(`mysql://root@127.0.0.1:${sql}/`, node);
  }

  private async query(index: number, sql: string): Promise<Status[]> {
    const connection = await mysql.createConnection(this.urls[index]?.replace('faults', '') ?? '');
    const [rows] = await connection.query<Status[]>(sql);
    await connection.end();
    return rows;
  }

  private data(index: number): string {
    return join(this.folder, `node-${index}`);
  }
}

const somePorts = (): Promise<Ports> => Promise.all([freePort(), freePort(), freePort(), freePort()]);

async function end(node: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (node?.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  node.kill(signal);
  await ended;
}
