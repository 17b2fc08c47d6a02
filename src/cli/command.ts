import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { DomainError, parseEmailAddress, NAME_RULE, parseName, loadConfig, JsonLogger } from '../platform/index.js';
import { explainFailure } from '../start-failure.js';
import { AppModule } from '../app.module.js';

/** The words of a command are wrong; exit code 2. */
export class WrongUse extends Error {}

/** A check failed, or the command was refused; exit code 1. */
export class Refused extends Error {}

/** It may work later; a mail server keeps what it has and tries again. */
export class TryLater extends Error {}

/** Returns what failed, and what to do about it, in sentences for the operator. */
export function reasonOf(error: unknown) {
  const isKnown = [DomainError, WrongUse, Refused, TryLater].some((kind) => error instanceof kind);
  return isKnown ? (error as Error).message : explainFailure(error, null, 'The command failed');
}

/**
 * Makes the reader of a kind of values. It takes the name of an option, and returns what reads its text.
 * @param rule follows the name of the option in the error
 */
export function readerOf<T>(parse: (text: string) => T | null, rule: string) {
  /** @throws WrongUse */
  return (option: string) =>
    (text: string): T => {
      const value = parse(text);
      if (value === null) throw new WrongUse(`${option} ${rule}.`);
      return value;
    };
}

export const idOf = readerOf(
  (text) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : null),
  'must be a whole number of at least 1',
);
export const nameOf = readerOf(parseName, NAME_RULE);
export const emailOf = readerOf(parseEmailAddress, 'must be an email address');

/**
 * Runs `work` on the database that the service has, and makes none: a folder without one is a wrong `DATA_DIR`.
 * @param overrides settings for this call, over the environment's
 * @throws Refused where there is no database
 */
export async function withApp<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  overrides: Record<string, string> = {},
): Promise<T> {
  const { database, dataDir } = loadConfig(overrides);
  if (database.kind === 'embedded') {
    const folder = resolve(dataDir);
    if (!existsSync(database.file))
      throw new Refused(
        `No database in ${folder}. Set DATA_DIR to the data folder of the service, or DATABASE_URL to its database server.`,
      );
    if (process.stderr.isTTY) process.stderr.write(`Database in ${folder}\n`);
  }
  return withNewApp(work, overrides);
}

/**
 * Runs `work` with the service's modules, and closes them again. No port is opened, no delivery is sent, and
 * only errors are logged, to stderr. A database that is not there is made.
 * @param overrides settings for this call, over the environment's
 */
export async function withNewApp<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  overrides: Record<string, string> = {},
): Promise<T> {
  const config = loadConfig({ WORKERS: 'off', METRICS_PORT: '', ...overrides });
  const app = await NestFactory.createApplicationContext(AppModule.with(config), {
    logger: new JsonLogger('error', process.stderr),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Returns what a command does on that database, with its arguments and options. */
export function inApp<Given extends unknown[]>(
  work: (app: INestApplicationContext, ...given: Given) => Promise<void>,
): (...given: Given) => Promise<void> {
  return (...given) => withApp((app) => work(app, ...given));
}

/** Says how a result is printed. */
export interface Printing {
  json?: boolean;
}

/** Prints a result: one JSON document with `json`, else a table of the same rows with aligned columns. */
export function print(rows: Record<string, unknown>[], { json = false }: Printing) {
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
}

function table(rows: Record<string, unknown>[]) {
  const [first] = rows;
  if (!first) return 'None.\n';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function cell(value: unknown) {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The person ended the questions. */
class Canceled extends Refused {}

/** Asks a person at the terminal. */
export class Terminal {
  private isSilent = false;
  private readonly lines: Interface;
  private readonly closed: Promise<unknown>;

  constructor() {
    const output = new Writable({
      write: (text: Buffer, _, done) => {
        if (!this.isSilent) process.stdout.write(text);
        done();
      },
    });
    Object.defineProperty(output, 'columns', { get: () => process.stdout.columns });
    this.lines = createInterface({
      input: process.stdin,
      output,
      terminal: true,
      historySize: 0, // it would show passwords again
    });
    this.closed = once(this.lines, 'close');
  }

  /**
   * Returns what is typed, or the proposal if that is nothing.
   * @throws Canceled on Ctrl+C and Ctrl+D
   */
  async ask(question: string, proposal = '') {
    const shown = proposal === '' ? '' : ` [${proposal}]`;
    return (await this.read(`${question}${shown}: `)).trim() || proposal;
  }

  /** Returns what is typed, which is not shown. @throws Canceled */
  async askSecretly(question: string) {
    process.stdout.write(`${question}: `);
    this.isSilent = true;
    try {
      return await this.read('');
    } finally {
      this.isSilent = false;
      process.stdout.write('\n');
    }
  }

  /** @throws Canceled */
  async confirm(question: string, proposal: boolean) {
    for (;;) {
      const answer = await this.ask(`${question} [${proposal ? 'Y/n' : 'y/N'}]`);
      if (answer === '') return proposal;
      if (/^y(?:es)?$/i.test(answer)) return true;
      if (/^no?$/i.test(answer)) return false;
      process.stdout.write('Answer y or n.\n');
    }
  }

  /** Repeats what asks until it succeeds, and says each time why it does not. @throws Canceled */
  async until<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof Canceled) throw error;
        process.stdout.write(`  ${reasonOf(error)}\n`);
      }
    }
  }

  close() {
    this.lines.close();
  }

  /** Resolves with a line. A question that is pending when the terminal is closed is rejected by Ctrl+C alone. */
  private async read(prompt: string) {
    const answer = this.lines.question(prompt).catch(() => null);
    const line = await Promise.race([answer, this.closed]);
    if (typeof line === 'string') return line;
    throw new Canceled('\nCanceled. Nothing was written.');
  }
}
