import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mysql from 'mysql2/promise';

const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
const START_TIMEOUT_MS = 60_000;
/** Option that makes a server faster without changing its answers: MySQL has a binary log, unless told otherwise. */
export const WITHOUT_LOG = '--skip-log-bin';

/** Path of an installed database server, or null. */
export function findServer() {
  const paths = ['mariadbd', 'mysqld'].flatMap((name) => FOLDERS.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/**
 * Starts an installed MariaDB or MySQL server on a free port of the loopback interface, with data in a
 * temporary folder, durable at every commit. When it ends by itself it is started again, as a service
 * manager does: a full disk may be too much for it.
 * @param {string} program its path
 * @param {string[]} options more command-line options
 * @param {string} parent where the temporary folder is made
 * @param {string | null} kept a folder to use instead, with what an earlier run left in it; it stays
 * @returns {Promise<{url: string, pid: number, crash: () => Promise<void>, restart: (more?: string[]) => Promise<void>, stop: () => Promise<void>}>} root without a
 * password; `crash` kills it and starts it again on the same data and port, `restart` stops it before
 */
export async function startServer(program, options = [], parent = tmpdir(), kept = null) {
  const folder = kept ?? (await mkdtemp(join(parent, 'fcs-server-')));
  const data = join(folder, 'data');
  const user = `--user=${userInfo().username}`;
  if (!existsSync(data)) initialiseData(program, data, user);
  const port = await freePort();
  const launch = (more = []) =>
    spawn(
      program,
      [
        '--no-defaults',
        user,
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(folder, 'socket')}`,
        '--innodb-flush-log-at-trx-commit=1',
        ...options,
        ...more,
      ],
      { stdio: 'ignore' },
    );
  const url = `mysql://root@127.0.0.1:${port}/`;
  let server = launch();
  let watched = true;
  const watch = () =>
    server.once('exit', (code, signal) => {
      if (!watched) return;
      process.stderr.write(`The server ended by itself (${code ?? signal}) and is started again.\n`);
      server = launch();
      watch();
    });
  // Whoever is stopped by a signal leaves neither the server nor its data behind.
  const clear = () => {
    server.kill('SIGKILL');
    if (!kept) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', clear);
  await untilAnswering(url, server);
  watch();
  return {
    url,
    get pid() {
      return server.pid;
    },
    crash: async () => {
      watched = false;
      await end(server, 'SIGKILL');
      server = launch();
      await untilAnswering(url, server);
      watched = true;
      watch();
    },
    restart: async (more = []) => {
      watched = false;
      await end(server, 'SIGTERM');
      server = launch(more);
      await untilAnswering(url, server);
      watched = true;
      watch();
    },
    stop: async () => {
      watched = false;
      process.off('exit', clear);
      await end(server, 'SIGTERM');
      if (!kept) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Fills a folder with what a server needs to start: its own tables, and root without a password. */
export function initialiseData(program, data, user) {
  const settings = ['--no-defaults', user, `--datadir=${data}`];
  if (/mariadb/i.test(execFileSync(program, ['--version'], { encoding: 'utf8' }))) {
    const open = ['--auth-root-authentication-method=normal', '--skip-test-db'];
    execFileSync('mariadb-install-db', [...settings, ...open], { stdio: 'ignore' });
  } else {
    execFileSync(program, [...settings, '--initialize-insecure'], { stdio: 'ignore' });
  }
}

async function end(server, signal) {
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

/** Returns the name and version of a server, such as `mariadb 10.11.14`. */
export async function describeServer(url) {
  const connection = await mysql.createConnection(url);
  const [[{ version }]] = await connection.query('SELECT VERSION() AS version');
  await connection.end();
  return `${/mariadb/i.test(version) ? 'mariadb' : 'mysql'} ${version.split('-')[0]}`;
}

/** Resolves once the server at a URL answers; rejects when it ends before, or does not in a minute. */
export async function untilAnswering(url, server) {
  for (let waited = 0; ; waited += 100) {
    try {
      await describeServer(url);
      return;
    } catch (error) {
      if (waited > START_TIMEOUT_MS || server.exitCode !== null) throw error;
      await pause(100);
    }
  }
}

/** A port that nobody listens on. */
export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
