import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { SubmissionPages } from '../../search/pages/submission-pages.service.js';

/** Newest submissions whose fields pages offer. */
const NEWEST = 10;

/** Finds the fields that a form has, which nothing else tells than what was sent. */
@Injectable()
export class SentFields {
  constructor(private readonly pages: SubmissionPages) {}

  /** Returns the newest submissions that are not spam, newest first. */
  async newest(principal: Principal, identifier: string): Promise<SubmissionInFull[]> {
    const filter = { ...EVERYTHING, spam: false, trash: false };
    const position = { page: 1, perPage: NEWEST, before: null, after: null };
    const page = await this.pages.list(principal, identifier, filter, position);
    const found: SubmissionInFull[] = [];
    for await (const some of page.submissions()) found.push(...some);
    return found;
  }
}

/** Returns the names of the fields in submissions, each once, in the order in which they were sent. */
export function valueFieldsOf(found: readonly SubmissionInFull[]): string[] {
  return unique(found.flatMap(({ submission }) => namesIn(submission)));
}

/** Returns the same with the fields of files. */
export function fieldsSent(found: readonly SubmissionInFull[]): string[] {
  return unique(
    found.flatMap(({ submission, files }) => [
      ...namesIn(submission),
      ...files.map(({ field }) => field),
    ]),
  );
}

function namesIn({ values }: SubmissionInFull['submission']): string[] {
  return values.toText().map(({ name }) => name);
}

function unique(names: string[]): string[] {
  return [...new Set(names)];
}
