import { DomainError } from '../platform/kernel/errors.js';
import { explainFailure } from '../start-failure.js';
import { parseMoment } from '../platform/kernel/time/moment.js';
import { parseEmailAddress } from '../platform/kernel/text/email-address.js';
import { NAME_RULE, parseName } from '../platform/kernel/text/name.js';
import { RIGHTS, type Right } from '../access/rights.js';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppModule } from '../app.module.js';
import { loadConfig } from '../platform/config/load-config.js';
import { JsonLogger } from '../platform/logging/json-logger.js';

/** The words of a command are wrong; exit code 2. */
export class WrongUse extends Error {}

/** A check failed, or the command was refused; exit code 1. */
export class Refused extends Error {}

/** It may work later; a mail server keeps what it has and tries again. */
export class TryLater extends Error {}

/** Returns what failed, and what to do about it, in sentences for the operator. */
export function reasonOf(error: unknown): string {
  const isKnown = [DomainError, WrongUse, Refused, TryLater].some((kind) => error instanceof kind);
  return isKnown ? (error as Error).message : explainFailure(error, null, 'The command failed');
}

/** @throws WrongUse */
export function readId(option: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new WrongUse(`${option} must be a whole number of at least 1.`);
  return Number(text);
}

/** @throws WrongUse */
export function readName(option: string, text: string): string {
  const name = parseName(text);
  if (name === null) throw new WrongUse(`${option} ${NAME_RULE}.`);
  return name;
}

/** @throws WrongUse */
export function readEmail(option: string, text: string): string {
  const address = parseEmailAddress(text);
  if (address === null) throw new WrongUse(`${option} must be an email address.`);
  return address;
}

/** @throws WrongUse */
export function readRights(option: string, text: string): Right[] {
  const names = text.split(',').map((name) => name.trim());
  const rights = RIGHTS.filter((right) => names.includes(right));
  if (rights.length < new Set(names).size) {
    throw new WrongUse(`${option} must be a comma-separated list of ${RIGHTS.join(', ')}.`);
  }
  return rights;
}

/**
 * Reads a date by the same rule as the API.
 * @throws WrongUse
 */
export function readDate(option: string, text: string): Date {
  const moment = parseMoment(text);
  if (moment === null) {
    throw new WrongUse(`${option} must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z.`);
  }
  return new Date(moment);
}

/**
 * Runs `work` on the database that the service has, and makes none: a folder without one is a wrong `DATA_DIR`.
 * @param overrides settings for this call, over those of the environment
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
 * @param overrides settings for this call, over those of the environment
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

/**
 * Prints a result: one JSON document with `json`, else a table of the same rows with aligned columns.
 */
export function print(rows: Record<string, unknown>[], { json = false }: { json?: boolean }): void {
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
}

function table(rows: Record<string, unknown>[]): string {
  const [first] = rows;
  if (!first) return 'None.\n';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
