import { Injectable } from '@nestjs/common';
import { IN_INBOX_MAX } from '../../forms/model/field.js';
import type { Answer } from '../../submissions/model/preview.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { FormsService } from '../../forms/forms.service.js';
import { RECEIVED } from '../../submissions/filter/submission-filter.js';
import { SubmissionIds } from '../../submissions/rows/submission-ids.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { BackgroundTask, type TaskRun, MINUTE_MS } from '../../platform/index.js';

/** Fields of a form that are compared, in the order in which they were sent. */
const FIELDS_MAX = 200;
/** Characters of a value that are looked at. */
const LOOKED_MAX = 300;
/** Share of submissions in which a field has to be filled in. */
const FILLED_MIN = 0.1;
/** Values that have to agree before they are taken for always the same; four times as many for yes or no. */
const SAME_MIN = 3;
/** Share of values that differ, and width of a value on average, of what may be the name of somebody. */
const NAME_DISTINCT_MIN = 0.6;
const NAME_WIDTH_MAX = 32;
/** Average width of a value that takes most of a line. */
const LONG_WIDTH = 60;
/** A choice of so many tells something, however often each is made, and counts as values of which this share differs. */
const CHOICES_MIN = 3;
const CHOICES_SHARE = 0.15;
const SCORE_MIN = 0.05;

/** Written by campaigns and libraries, not by people. */
const TECHNICAL = /^(?:_|utm[_-]|(?:g|fb|msclk|dcl)(?:cl)?id$)/i;
const ADDRESS = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/;
const LINK = /^(?:https?:\/\/|www\.)\S+$/i;
/** Ids, hashes and tokens: one word of 16 or more letters and digits. */
const CODE = /^(?=[^\s]*\d)[\w+/=.:-]{16,}$/;
/** Numbers, amounts, dates and telephone numbers, in any digits. */
const NUMBER = /^[\p{N}\p{P}\p{S}\s]+$/u;
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

type Kind = 'address' | 'name' | 'number' | 'text';

/** Facts about the values of a field. */
interface Facts {
  name: string;
  /** Its place among the fields, from 0. */
  place: number;
  kind: Kind;
  /** Average width of its values in columns: letters of East Asia take two. */
  width: number;
  /** From 0 to 1. */
  score: number;
}

/**
 * Finds the fields that tell most of submissions by what they hold, whatever their names say: filled in often, with
 * values that differ. What is the same everywhere, ticked or not, yes or no, a link, a code or of a campaign loses, as does a second
 * email address.
 * @param samples the answers of some submissions of one form
 * @returns names: who it may be from, the message, then from short to long; at most IN_INBOX_MAX
 */
export function tellingFields(samples: readonly Answer[][]): string[] {
  const facts = [...valuesByField(samples)].flatMap(([name, values], place) => {
    const found = factsOf(values, samples.length);
    return found === null || TECHNICAL.test(name) ? [] : [{ ...found, name, place }];
  });
  const best = (kind: Kind) => facts.filter((each) => each.kind === kind).sort(byScore)[0];
  const address = best('address');
  const who = facts.find(({ kind }) => kind === 'name') ?? address;
  const [message] = facts
    .filter((each) => each !== who && each.kind === 'text')
    .sort((one, other) => other.width - one.width);
  const rest = facts
    .filter((each) => each !== who && each !== message)
    .filter((each) => each.kind !== 'address' || each === address)
    .sort((one, other) => rankOf(one) - rankOf(other) || byScore(one, other));
  const told = [who, message].filter((each) => each !== undefined);
  return [...told, ...rest].slice(0, IN_INBOX_MAX).map(({ name }) => name);
}

/** Returns the values of each field that are filled in, in the order in which fields were sent first. */
function valuesByField(samples: readonly Answer[][]) {
  const fields = new Map<string, string[]>();
  for (const answers of samples) {
    for (const { name, text } of answers) {
      const value = text.slice(0, LOOKED_MAX).trim();
      const known = fields.get(name);
      if (known) known.push(...(value === '' ? [] : [value]));
      else if (fields.size < FIELDS_MAX) fields.set(name, value === '' ? [] : [value]);
    }
  }
  return fields;
}

/** Returns what values tell; null for what tells nothing. */
function factsOf(values: readonly string[], samples: number): Pick<Facts, 'kind' | 'width' | 'score'> | null {
  const filled = Math.min(values.length / samples, 1);
  if (values.length === 0 || filled < FILLED_MIN) return null;
  const different = new Set(values.map((value) => value.toLowerCase())).size;
  if (different < CHOICES_MIN && values.length >= SAME_MIN * different ** 2) return null;
  const distinct = Math.max(different / values.length, different < CHOICES_MIN ? 0 : CHOICES_SHARE);
  const most = (matches: (value: string) => boolean) => values.filter(matches).length > values.length * 0.6;
  if (most((value) => LINK.test(value))) return null;
  const width = values.reduce((sum, value) => sum + widthOf(value), 0) / values.length;
  const isAddress = most((value) => ADDRESS.test(value));
  const isNumber = most((value) => NUMBER.test(value));
  if (!isAddress && !isNumber && most((value) => CODE.test(value))) return null;
  const isName = distinct >= NAME_DISTINCT_MIN && width <= NAME_WIDTH_MAX && most((value) => isNameLike(value));
  const kind = isAddress ? 'address' : isNumber ? 'number' : isName ? 'name' : 'text';
  const score = distinct * filled * (0.5 + Math.min(width / LONG_WIDTH, 1) / 2);
  return score < SCORE_MIN ? null : { kind, width, score };
}

/** Tells whether a text may be what somebody is called: one to four words of letters. */
function isNameLike(value: string) {
  const isText = /^[\p{L}\p{M}\p{Zs}.'’·-]{2,}$/u.test(value);
  return isText && value.split(/\s+/).length <= 4;
}

function widthOf(value: string) {
  return value.length + (value.match(WIDE)?.length ?? 0);
}

/** Returns where a field stands in a row: short texts, long ones, then numbers and the address. */
function rankOf({ kind, width }: Facts): number {
  if (kind === 'address' || kind === 'number') return 2;
  return width > LONG_WIDTH ? 1 : 0;
}

function byScore(one: Facts, other: Facts) {
  return other.score - one.score || one.place - other.place;
}

/** Newest submissions of a form that are learnt from. */
const NEWEST = 50;

/** Learns which fields of forms tell most, where nobody has chosen what their rows show. */
@Injectable()
export class PreviewLearner {
  constructor(
    private readonly queries: FormQueries,
    private readonly forms: FormsService,
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /**
   * Learns from each form that has got enough submissions since it was learnt from last.
   * @returns from how many
   */
  @BackgroundTask('learn what rows show', 5 * MINUTE_MS)
  async learnAll({ signal }: TaskRun): Promise<number> {
    let learnt = 0;
    for await (const form of this.queries.due()) {
      if (signal?.aborted) break;
      await this.forms.learn(form, tellingFields(await this.newest(form.id)));
      learnt++;
    }
    return learnt;
  }

  private async newest(formId: number) {
    const window = { page: 1, perPage: NEWEST, before: null, after: null };
    const { ids } = await this.ids.page(formId, RECEIVED, window, NEWEST);
    const found: Answer[][] = [];
    for await (const some of this.submissions.load(formId, ids)) {
      found.push(...some.map(({ values }) => values.lines()));
    }
    return found;
  }
}
