import type { INestApplicationContext } from '@nestjs/common';
import { Argument, Command } from 'commander';
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Principal } from '../access/principal.js';
import { FormsService } from '../forms/forms.service.js';
import { FormNotFound } from '../forms/model/form.errors.js';
import { ImportWorker } from '../imports/import-worker.js';
import { ImportsService } from '../imports/imports.service.js';
import { PROVIDER_NAMES, type ProviderName } from '../imports/formats/index.js';
import type { BrokenRow } from '../imports/model/import.entity.js';
import type { ImportOptions } from '../imports/model/import-options.js';
import { Refused, WrongUse } from './cli.errors.js';
import { withApp } from './with-app.js';

/** How often it is asked how far an import is that a running service has taken, in milliseconds. */
const ASKED_EVERY_MS = 200;
/** Broken rows that are named. */
const NAMED_MAX = 20;

interface Options {
  form: string;
  dryRun?: boolean;
  json?: boolean;
  time?: string;
  leaveOut?: string[];
  rename?: string[];
  undatedNow?: boolean;
  unprefix?: boolean;
}

interface ExportedFile {
  path: string;
  /** In bytes. */
  size: number;
}

/** Result of an import or a dry run. */
interface Result {
  imported: number;
  skipped: number;
  broken: number;
  brokenRows: readonly BrokenRow[];
  /** Why it ended early; null when it did not. */
  error: string | null;
}

/** Returns the command `import <provider> <file>`. */
export function importCommand(): Command {
  return new Command('import')
    .description(
      'Import the submissions that another service exported. They keep their times; nobody is notified. A second run adds nothing.',
    )
    .addArgument(new Argument('<provider>', 'whose export it is').choices(PROVIDER_NAMES))
    .argument('<file>', 'the exported file')
    .requiredOption('--form <identifier>', 'identifier of the form')
    .option('--dry-run', 'count what an import would do, and store nothing')
    .option('--time <column>', 'column that says when a submission was sent')
    .option('--leave-out <columns...>', 'columns that are not stored')
    .option('--rename <columns...>', 'columns with new names, such as "Your name=name"')
    .option('--undated-now', 'give rows without a time the time of the import')
    .option('--unprefix', "take away the ' that some exports put before formulas")
    .option('--json', 'print JSON')
    .action(run);
}

async function run(provider: ProviderName, name: string, options: Options): Promise<void> {
  const file = await readableFile(name);
  const asked = optionsOf(provider, options);
  const { error, ...result } = await withApp((app) => imported(app, asked, file, options));
  print(result, options);
  if (error !== null) throw new Refused(error);
}

/** @throws WrongUse */
async function readableFile(name: string): Promise<ExportedFile> {
  const path = resolve(name);
  const found = await stat(path).catch(() => null);
  if (!found) throw new WrongUse(`${path} does not exist. Check the path.`);
  if (!found.isFile()) throw new WrongUse(`${path} is not a file. Name the exported file in it.`);
  await access(path, constants.R_OK).catch(() => {
    throw new WrongUse(`We cannot read ${path}. Let this user read it.`);
  });
  return { path, size: found.size };
}

async function imported(
  app: INestApplicationContext,
  asked: ImportOptions,
  { path, size }: ExportedFile,
  { form: identifier, dryRun = false }: Options,
): Promise<Result> {
  const operator = await ownerOf(app, identifier);
  const imports = app.get(ImportsService);
  const upload = { content: createReadStream(path), announced: size, name: basename(path) };
  if (dryRun) {
    const preview = await imports.preview(operator, identifier, asked, upload, null);
    return { ...countsOf(preview), error: preview.problem?.message ?? null };
  }
  const { id } = await imports.create(operator, identifier, asked, upload);
  for (;;) {
    // A running service may have taken it first.
    await app.get(ImportWorker).work({});
    const entry = await imports.show(operator, identifier, id);
    if (!entry.isOpen) return { ...countsOf(entry), error: entry.errorMessage };
    await pause(ASKED_EVERY_MS);
  }
}

/** Returns the operator as who may import into a form. @throws Refused when nobody has it */
async function ownerOf(app: INestApplicationContext, identifier: string): Promise<Principal> {
  try {
    const { accountId } = await app.get(FormsService).findPublicCached(identifier);
    return Principal.operator(accountId);
  } catch (error) {
    if (!(error instanceof FormNotFound)) throw error;
    throw new Refused(
      `No form has the identifier "${identifier}". It is at the end of the address that the form submits to.`,
    );
  }
}

function countsOf({ imported, skipped, broken, brokenRows }: Omit<Result, 'error'>) {
  return { imported, skipped, broken, brokenRows };
}

/** @throws WrongUse */
function optionsOf(provider: ProviderName, options: Options): ImportOptions {
  const { time = null, leaveOut = [], rename = [], undatedNow = false, unprefix = false } = options;
  const renamed = rename.map((text) => {
    const at = text.lastIndexOf('=');
    if (at < 1 || at === text.length - 1) throw new WrongUse('--rename takes "column=name".');
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  const columns = [...leaveOut.map((column) => [column, null] as const), ...renamed];
  return { provider, time, columns, undated: undatedNow ? 'now' : 'refuse', unprefix };
}

function print(
  { brokenRows, ...counts }: Omit<Result, 'error'>,
  { json = false, dryRun = false }: Options,
): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(counts)}\n`);
    return;
  }
  const { imported, skipped, broken } = counts;
  const what = dryRun ? 'Would import' : 'Imported';
  const lines = [`${what} ${imported}, skipped ${skipped} (already there), broken ${broken}.`];
  for (const { line, reason } of brokenRows.slice(0, NAMED_MAX)) {
    lines.push(`Line ${line}: ${reason}`);
  }
  if (broken > NAMED_MAX) lines.push(`… and ${broken - NAMED_MAX} more`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
