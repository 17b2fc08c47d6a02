import { Hooks, timeOf } from '../../platform/index.js';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/index.js';
import { OPT_IN_STATES } from '../../deliveries/model/outcome.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import type { ListedSelection, Selection } from '../finder/selection.js';
import {
  EVERYTHING,
  type SubmissionFilter,
  ANSWERED,
  assignedTo,
  STARRED,
  tagged,
} from '../../submissions/filter/submission-filter.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import { PeopleDirectory } from '../../triage/assignees/assignees.service.js';
import {
  countryLookup,
  originLookup,
  pageLookup,
  valueLookup,
  visitorLookup,
} from '../../submissions/model/submitted-values.js';
import { TriageService } from '../../triage/marks/triage.service.js';
import { parseFilterLine, type FilterLine } from '../../submissions/filter/filter-line.js';

/** Value of `assigned:` for submissions without an assignee. */
const UNASSIGNED = 'none';

/** Reads lines of filters for somebody: `me` is that person, days are theirs, and forms are those in the scope. */
@Injectable()
export class FilterLines {
  constructor(
    private readonly lists: FormQueries,
    private readonly triage: TriageService,
    private readonly hooks: Hooks,
  ) {}

  /**
   * @param now what days such as `7d` are counted from
   * @throws MissingRight
   * @throws FilterUnclear naming the parts that cannot be understood
   */
  async read(principal: Principal, line: string, now = new Date()): Promise<Selection> {
    const parsed = parsedFor(principal, line, now);
    const all = await this.mayBeMeant(principal, parsed);
    if (all) return this.readIn(principal, parsed, all);
    const filter = await this.clearFilterOf(principal, parsed, []);
    return { scope: principal, forms: null, filter };
  }

  /**
   * Reads the line, and lists the forms that it means however many there are.
   * @throws FilterUnclear, MissingRight
   */
  async readListed(principal: Principal, line: string, now = new Date()): Promise<ListedSelection> {
    const all = await this.lists.list(principal, null);
    return this.readIn(principal, parsedFor(principal, line, now), all);
  }

  /** Returns the forms that a line can mean, or more of them; null when it means all, and those are too many. */
  private async mayBeMeant(principal: Principal, { forms: names }: FilterLine) {
    const few = await this.lists.few(principal);
    if (few || names.length === 0) return few;
    const identified = await this.lists.identified(principal, names);
    const isFound = names.every((name) => identified.some((form) => isNamed(form, name)));
    return isFound ? identified : this.lists.list(principal, null);
  }

  /** Reads what a line means among these forms. @throws FilterUnclear */
  private async readIn(
    principal: Principal,
    parsed: FilterLine,
    all: readonly FormSummary[],
  ): Promise<ListedSelection> {
    const unclear = [...parsed.unclear];
    for (const name of parsed.forms) {
      if (!all.some((form) => isNamed(form, name))) unclear.push(`form:${name}`);
    }
    const forms = all.filter((form) => parsed.forms.length === 0 || parsed.forms.some((name) => isNamed(form, name)));
    const filter = await this.clearFilterOf(principal, { ...parsed, unclear }, forms);
    return { scope: principal, forms, filter };
  }

  /** @throws FilterUnclear naming what cannot be understood */
  private async clearFilterOf(
    principal: Principal,
    parsed: FilterLine,
    forms: readonly FormSummary[],
  ): Promise<SubmissionFilter> {
    const unclear = [...parsed.unclear];
    const assignees = await this.assigneesOf(principal, parsed, unclear);
    if (unclear.length > 0) throw new FilterUnclear(unclear);
    const filter = await this.filterOf(principal, parsed, forms);
    return { ...filter, marks: [...filter.marks, ...assignees.map(assignedTo)] };
  }

  /**
   * Reads the line for one form; it may name that form, and no other.
   * @throws FormNotFound, FilterUnclear, MissingRight
   */
  async readFor(principal: Principal, identifier: string, line: string): Promise<SubmissionFilter> {
    const form = await this.lists.get(principal, identifier);
    const parsed = parsedFor(principal, line, new Date());
    if (parsed.forms.length === 0) return (await this.readIn(principal, parsed, [form])).filter;
    const { forms, filter } = await this.read(principal, line);
    if (forms?.some(({ id }) => id === form.id)) return filter;
    throw new FilterUnclear(['form:']);
  }

  /** Returns the ids of the people that the line names, and adds to `unclear` what names nobody who is known. */
  private async assigneesOf(principal: Principal, { assigned }: FilterLine, unclear: string[]) {
    const found: number[] = [];
    for (const name of assigned.filter((each) => each !== UNASSIGNED)) {
      const id = name === 'me' ? meOf(principal) : await this.byEmail(principal, name);
      if (id === null) unclear.push(`assigned:${name}`);
      else found.push(id);
    }
    return found;
  }

  private async byEmail(principal: Principal, email: string) {
    return (await this.hooks.ask(PeopleDirectory).byEmail(principal, email))?.id ?? null;
  }

  private async filterOf(
    principal: Principal,
    { words, is, tags, assigned, from, to, hasFile, ids, ...sent }: FilterLine,
    forms: readonly FormSummary[],
  ): Promise<SubmissionFilter> {
    const formIds = forms.map(({ id }) => id);
    return {
      ...EVERYTHING,
      ...foldersOf(is),
      ...{ words, hasFile, ids, unassigned: assigned.includes(UNASSIGNED) },
      ...narrowed(from, to, ids),
      values: [
        ...sent.visitors.map(visitorLookup),
        ...sent.values.map(({ name, text }) => valueLookup(name, text)),
        ...sent.pages.map(pageLookup),
        ...sent.countries.map(countryLookup),
        ...sent.origins.map(originLookup),
      ],
      marks: [
        ...(is.includes('starred') ? [STARRED] : []),
        ...(is.includes('answered') ? [ANSWERED] : []),
        ...tags.map(tagged),
      ],
      held: is.includes('held'),
      confirmation: OPT_IN_STATES.find((state) => is.includes(state)) ?? null,
      failed: is.includes('failed') && (principal.clientId === null || 'shown'),
      unread: is.includes('unread') ? await this.triage.readStateOf(principal, formIds) : null,
    };
  }
}

/** Returns the times between which these ids are, since ids tell when each was received. */
function narrowed(from: Date | null, to: Date | null, ids: readonly Buffer[]) {
  if (ids.length === 0) return { from, to };
  const times = ids.map((id) => timeOf(id).getTime());
  const [first, last] = [Math.min(...times), Math.max(...times) + 1];
  return {
    from: new Date(Math.max(first, from?.getTime() ?? first)),
    to: new Date(Math.min(last, to?.getTime() ?? last)),
  };
}

/** Parses a line. What it finds, and how many, tells of what visitors sent. @throws MissingRight */
function parsedFor(principal: Principal, line: string, now: Date) {
  if (line.trim() !== '') principal.assertHas('submissions:read');
  return parseFilterLine(line, now, principal.timeZone);
}

/** Returns the marks of a filter: it leaves out spam and the trash unless it names them; the trash has spam too. */
function foldersOf(is: FilterLine['is']): Pick<SubmissionFilter, 'spam' | 'trash' | 'done'> {
  const trash = is.includes('trash');
  const spam = is.includes('spam') || (trash ? null : false);
  const done = is.includes('done') ? true : is.includes('new') ? false : null;
  return { trash, spam, done };
}

/** Returns the id of the person who asks; null for a token. */
export function meOf({ reader }: Principal): number | null {
  return reader.kind === 'person' ? reader.id : null;
}

function isNamed(form: FormSummary, name: string) {
  return form.identifier === name || form.name.toLowerCase() === name.toLowerCase();
}
