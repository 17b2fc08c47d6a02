import { Injectable } from '@nestjs/common';
import { FileStore, type StoredFile, fileNameOf } from '../../../submissions/files/file-store.js';
import {
  Config,
  byteSize,
  Turns,
  decodedPart,
  parseWebUrl,
  textMember,
  type JsonMember,
} from '../../../platform/index.js';
import { AccountFilesFull } from '../../../submissions/model/submission.errors.js';
import { SubmittedValues } from '../../../submissions/model/submitted-values.js';
import type { FileTaker, ImportedSubmission } from '../../../submissions/storage/imported-submissions.service.js';
import { FileQuota } from '../../../submissions/storage/file-quota.js';
import { FileFetcher, FileMissing } from './file-fetcher.js';
import type { RowProblem } from '../model/import.entity.js';

/** Submissions whose files are fetched at a time. */
const AT_ONCE = 4;
/** Longest address and name of a field that a reason shows, in characters. */
const SHOWN_MAX = 200;

/** A submission of a file, with the line where it begins. */
interface SubmissionAt {
  line: number;
  submission: ImportedSubmission;
}

/** Submissions with the files that their values named, and what was not found of them. */
interface Fetched {
  submissions: ImportedSubmission[];
  missing: RowProblem[];
}

/** Fetches the files of imported submissions, which are stored as those that visitors send. */
@Injectable()
export class ImportedFiles {
  constructor(
    private readonly fetcher: FileFetcher,
    private readonly quota: FileQuota,
    private readonly store: FileStore,
    private readonly config: Config,
  ) {}

  /**
   * Fetches the files of submissions, and has them stored.
   * @param work stores what was fetched; null when it did not
   * @param unwanted aborts it
   * @throws FilesUnavailable, the reason of `unwanted`, or the error of `work`
   */
  async during<Stored>(
    accountId: number,
    rows: readonly SubmissionAt[],
    unwanted: AbortSignal,
    work: (fetched: Fetched) => Promise<Stored | null>,
  ): Promise<Stored | null> {
    const { stored } = await this.quota.during(accountId, async (files) => {
      const taken: Buffer[] = [];
      const receive: FileTaker['receive'] = async (content, admit) => {
        const file = await files.receive(content, admit);
        taken.push(file.id);
        return file;
      };
      const removeAll = async () => {
        for (const id of taken) await files.remove(id);
      };
      let isStoring = false;
      try {
        const fetched = await this.fetch(rows, receive, unwanted);
        for (const id of taken) await this.store.keep({ id });
        isStoring = true;
        const done = await work(fetched);
        if (done === null) await removeAll();
        return { stored: done, outcome: done === null ? 'replayed' : 'stored' };
      } catch (error) {
        // Whether a transaction was committed may be unknown: the sweeper removes what no submission has.
        if (!isStoring) await removeAll();
        throw error;
      }
    });
    return stored;
  }

  private async fetch(
    rows: readonly SubmissionAt[],
    receive: FileTaker['receive'],
    unwanted: AbortSignal,
  ): Promise<Fetched> {
    const turns = new Turns(AT_ONCE);
    const missing: RowProblem[] = [];
    const ended = await Promise.allSettled(rows.map((row) => turns.run(() => this.fetchOf(row, receive, unwanted))));
    const submissions = ended.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      missing.push(...each.value.missing);
      return each.value.submission;
    });
    return { submissions, missing };
  }

  private async fetchOf({ line, submission }: SubmissionAt, receive: FileTaker['receive'], unwanted: AbortSignal) {
    const { maxFiles, maxFileBytes, maxUploadBytes } = this.config.intake;
    const files: StoredFile[] = [];
    const missing: RowProblem[] = [];
    let [named, bytesLeft] = [0, maxUploadBytes];
    const take = async (field: string, { url, name }: FileAddress): Promise<boolean> => {
      if (++named > maxFiles) return false;
      try {
        const maxBytes = Math.min(maxFileBytes, bytesLeft);
        if (maxBytes <= 0) throw new FileMissing(`exceeds the ${byteSize(maxUploadBytes)} of a row`);
        const file = await this.fetcher.fetch(url, receive, maxBytes, unwanted);
        files.push({ ...file, field, name });
        bytesLeft -= file.size;
        return true;
      } catch (error) {
        missing.push({ line, reason: reasonOf(field, url, error) });
        return false;
      }
    };
    const members: JsonMember[] = [];
    for (const member of submission.values.members) {
      const all = fileAddressesIn(member.json);
      const left: string[] = [];
      for (const each of all) if (!(await take(member.name, each))) left.push(each.url);
      if (left.length === all.length) members.push(member);
      else if (left.length > 0) members.push(textMember(member.name, left.join('\n')));
    }
    if (named > maxFiles) {
      const reason = `It names ${named} files. A submission can have ${maxFiles}: the others keep their addresses.`;
      missing.push({ line, reason });
    }
    if (files.length === 0) return { submission, missing };
    return { submission: { ...submission, values: new SubmittedValues(members), files }, missing };
  }
}

/** Says what became of an address whose file is missing. @throws the error when it is about more than the file */
function reasonOf(field: string, url: string, error: unknown) {
  const shown = `The field "${field.slice(0, SHOWN_MAX)}" keeps its address: ${url.slice(0, SHOWN_MAX)}`;
  if (error instanceof FileMissing) return `${shown} ${error.message}.`;
  if (error instanceof AccountFilesFull) return `${shown} does not fit into the space for files.`;
  throw error;
}

/** Text values with less than an address, and values with addresses among others, are not parsed. */
const MAYBE = /^(?:"\s*https?:|[[{].*https?:)/is;
/** Separates addresses in one text; a comma may be a part of one. */
const BETWEEN = /[\s;|]|,(?=https?:)/i;
/** A name of a file at the end of a path, and names of pages. */
const FILE_NAME = /\.[a-z0-9]{1,5}$/i;
const PAGE_NAME = /\.(?:html?|xhtml|php\d?|aspx?|jsp|cgi|com|org|net)$/i;
/** Members of the objects that Netlify and Basin write of a file. */
const OF_FILES = new Set('url,public_url,filename,name,size,type,content_type,byte_size,id,key'.split(','));

/** A file that an export names by its address. */
interface FileAddress {
  url: string;
  name: string;
}

/**
 * Returns the files that a value names, if it says nothing else: addresses that end with the name of a file, or what
 * Netlify and Basin write of a file, alone or in a list.
 * @param json the value as JSON text
 */
function fileAddressesIn(json: string): FileAddress[] {
  if (!MAYBE.test(json)) return [];
  const value: unknown = JSON.parse(json);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const found = items.map(ofItem);
  return found.every((some) => some.length > 0) ? found.flat() : [];
}

function ofItem(item: unknown): FileAddress[] {
  if (typeof item === 'string') return ofText(item);
  if (typeof item !== 'object' || item === null) return [];
  // With other members it says more than where a file is.
  if (!Object.keys(item).every((key) => OF_FILES.has(key))) return [];
  const { url, public_url: open, filename, name } = item as Record<string, unknown>;
  const address = [url, open].find((each) => typeof each === 'string');
  const parsed = address === undefined ? null : parseWebUrl(address);
  if (!parsed) return [];
  const given = [filename, name].find((each) => typeof each === 'string' && each !== '');
  const known = (given as string | undefined) ?? nameIn(parsed);
  return isFileName(known) ? [{ url: parsed.href, name: fileNameOf(known) }] : [];
}

function ofText(text: string): FileAddress[] {
  const parts = text.split(BETWEEN).filter((part) => part !== '');
  const urls = parts.map((part) => parseWebUrl(part.replace(/,$/, '')));
  const files = urls.flatMap((url) => {
    const name = url && nameIn(url);
    return name && isFileName(name) ? [{ url: url.href, name: fileNameOf(name) }] : [];
  });
  return files.length === urls.length ? files : [];
}

function isFileName(name: string) {
  return FILE_NAME.test(name) && !PAGE_NAME.test(name);
}

/** Returns the last part of a path; empty for an address that ends with none. */
function nameIn({ pathname }: URL) {
  return decodedPart(pathname.slice(pathname.lastIndexOf('/') + 1));
}
