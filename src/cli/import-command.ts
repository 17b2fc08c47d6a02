import type { INestApplicationContext } from '@nestjs/common';
import { Argument, Command, Option } from 'commander';
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Principal } from '../accounts/access/index.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { FormNotFound } from '../forms/model/form.errors.js';
import { JobWorker } from '../platform/index.js';
import { ImportsService } from '../moving/imports/imports.service.js';
import { PROVIDER_NAMES, type ProviderName } from '../moving/imports/formats/index.js';
import {
  isGuessed,
  parseEncoding,
  DAY_ORDERS,
  FILES,
  plainOptions,
  type ImportOptions,
} from '../moving/imports/model/import-options.js';
import { Refused, WrongUse, readerOf, withApp, type Printing } from './command.js';
import type { Import, RowProblem } from '../moving/imports/model/import.entity.js';

/** How often it is asked how far an import is that a running service has taken, in milliseconds. */
const ASKED_EVERY_MS = 200;
const GUESSED_NOTE =
  'The file is not in UTF-8. We read it as windows-1252. If letters are wrong, undo it on its page, and choose an --encoding.';
/** Broken rows that are named, and missing files. */
const NAMED_MAX = 20;

interface Options extends Printing, Partial<Pick<ImportOptions, 'time' | 'unprefix' | 'files' | 'encoding' | 'dates'>> {
  form: string;
  dryRun?: boolean;
  leaveOut?: string[];
  rename?: string[];
  undatedNow?: boolean;
}

interface ExportedFile {
  path: string;
  /** In bytes. */
  size: number;
}

/** Result of an import or a dry run. */
interface Result
  extends
    Pick<Import, 'imported' | 'skipped' | 'broken' | 'brokenRows'>,
    Partial<Pick<Import, 'filesMissing' | 'missingFiles'>> {
  /** Guesses about how the file is read, and questions. */
  notes: readonly string[];
  /** Why it ended early; null when it did not. */
  errorMessage: string | null;
}

const encodingOf = readerOf(parseEncoding, 'takes an encoding such as utf-8, windows-1251 or shift_jis');
const renamedOf = readerOf((text): [column: string, name: string] | null => {
  const at = text.lastIndexOf('=');
  return at < 1 || at === text.length - 1 ? null : [text.slice(0, at), text.slice(at + 1)];
}, 'takes "column=name"');

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
    .addOption(new Option('--files <how>', 'download the files that values link to, or keep the links').choices(FILES))
    .option('--encoding <label>', 'encoding of the file, such as windows-1251', encodingOf('--encoding'))
    .addOption(new Option('--dates <order>', 'order in dates such as 3/4/2023').choices(DAY_ORDERS))
    .option('--json', 'print JSON')
    .action(run);
}

async function run(provider: ProviderName, name: string, options: Options) {
  const file = await readableFile(name);
  const { leaveOut = [], rename = [], time = null, encoding = null, dates = null } = options;
  const { unprefix = false, files = 'address' } = options;
  const columns = [...leaveOut.map((column) => [column, null] as const), ...rename.map(renamedOf('--rename'))];
  const undated = options.undatedNow ? 'now' : 'refuse';
  const reading = { time, columns, undated, unprefix, files, encoding, dates } as const;
  const asked = { ...plainOptions(provider), ...reading };
  const result = await withApp((app) => imported(app, asked, file, options));
  print(result, options);
  if (result.errorMessage !== null) throw new Refused(result.errorMessage);
}

/** @throws WrongUse */
async function readableFile(name: string): Promise<ExportedFile> {
  const path = resolve(name);
  const found = await stat(path).catch(() => null);
  if (!found) throw new WrongUse(`${path} does not exist. Check the path.`);
  if (!found.isFile()) throw new WrongUse(`${path} is not a file. Name the exported file in it.`);
  await access(path, constants.R_OK).catch(() => {
    throw new WrongUse(`We cannot read ${path}. Give this user read permission.`);
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
    const { imported, skipped, broken, brokenRows, problem } = preview;
    const notes = preview.notes.map(({ message }) => message);
    const counts = { imported, skipped, broken, brokenRows };
    return { ...counts, notes, errorMessage: problem?.message ?? null };
  }
  const { id } = await imports.create(operator, identifier, asked, upload);
  for (;;) {
    // A running service may have taken it first.
    await app.get(JobWorker).work('import', new Date());
    const entry = await imports.show(operator, identifier, id);
    const notes = isGuessed(entry.encoding, entry.options.encoding) ? [GUESSED_NOTE] : [];
    if (!entry.isOpen) return Object.assign(entry, { notes });
    await pause(ASKED_EVERY_MS);
  }
}

/** Returns the operator as who may import into a form. @throws Refused when nobody has it */
async function ownerOf(app: INestApplicationContext, identifier: string) {
  try {
    const { accountId } = await app.get(FormQueries).findPublicCached(identifier);
    return Principal.operator(accountId);
  } catch (error) {
    if (!(error instanceof FormNotFound)) throw error;
    throw new Refused(
      `No form has the identifier "${identifier}". It is at the end of the address that the form submits to.`,
    );
  }
}

function print(result: Result, { json = false, dryRun = false, files }: Options) {
  const { imported, skipped, broken, brokenRows, notes } = result;
  const { filesMissing = 0, missingFiles = [] } = result;
  if (json) {
    const missing = files === 'fetch' && !dryRun ? { files_missing: filesMissing } : {};
    process.stdout.write(`${JSON.stringify({ imported, skipped, broken, ...missing })}\n`);
    return;
  }
  const what = dryRun ? 'Would import' : 'Imported';
  const lines = [`${what} ${imported}, skipped ${skipped} (already there), broken ${broken}.`];
  lines.push(...notes, ...named(brokenRows, broken));
  if (filesMissing > 0) lines.push(`Could not fetch ${filesMissing} files.`);
  lines.push(...named(missingFiles, filesMissing));
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Returns a line for each of the first rows, and one for the others. */
function named(rows: readonly RowProblem[], all: number) {
  const lines = rows.slice(0, NAMED_MAX).map(({ line, reason }) => `Line ${line}: ${reason}`);
  return all > NAMED_MAX ? [...lines, `… and ${all - NAMED_MAX} more`] : lines;
}
