import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FormQueries } from '../../forms/form-queries.service.js';
import { byteSize, InvalidInputError, ReadCache } from '../../platform/index.js';
import { parseEntry, type ListEntry, EntryList, soughtIn, type Found } from './entry-list.js';
import { SpamList, type ListTexts } from './spam-list.entity.js';
import { SpamListsRepository } from './spam-lists.repository.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { formChanged } from '../../forms/model/form-changes.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { lists } from '../signals/lists.js';
import type { SpamEvidence, FormRules, FoundPart, SlowSignal } from '../evidence/spam-evidence.js';
import { UNKNOWN_SHARE } from '../evidence/verdict.js';

/** Most entries of a list, and most lines of its text. */
const ENTRIES_MAX = 100_000;
/** Lines that are read in one turn of the event loop, which takes a few milliseconds. */
const LINES_A_TURN = 1_000;
const LINE_END = /\r\n|\r|\n/g;
/** Wrong lines that an error names, and how much of each, in characters. */
const NAMED_LINES = 5;
const NAMED_CHARS = 60;

class ListUnclear extends InvalidInputError {
  constructor(field: string, wrong: readonly string[]) {
    const more = wrong.length > NAMED_LINES ? ' and more' : '';
    const message = `cannot be read in ${wrong.slice(0, NAMED_LINES).join(', ')}${more}`;
    super('spam_list_unclear', `${field} ${message}.`, [
      { field, code: 'spam_list_unclear', message: `${field} ${message}.` },
    ]);
  }
}

class ListTooLong extends InvalidInputError {
  constructor(field: string) {
    const message = `${field} has more than ${ENTRIES_MAX} lines.`;
    super('spam_list_too_long', message, [{ field, code: 'spam_list_too_long', message }]);
  }
}

/** Lists of all forms of an account together, in bytes: lists of many accounts are kept ready at a time. */
const ACCOUNT_LISTS_MAX_BYTES = 8 * 1024 * 1024;

class SpamListsFull extends InvalidInputError {
  constructor() {
    const message = `All spam lists of an account together can have up to ${byteSize(ACCOUNT_LISTS_MAX_BYTES)}. Shorten some first.`;
    super('spam_lists_full', message, [{ field: 'lists', code: 'spam_lists_full', message }]);
  }
}

/**
 * Brings a list into its normal form: each entry once, on a line of its own; blank lines go. Lines are read in turns with
 * other work.
 * @param field names it in errors
 * @throws ListUnclear naming lines, ListTooLong
 */
export async function normalList(text: string, field: string) {
  const kept = text.trimEnd();
  if (hasMoreLines(kept)) throw new ListTooLong(field);
  const entries = new Map<string, string>();
  const wrong: string[] = [];
  for (const [index, line] of kept.split(LINE_END).entries()) {
    if (index % LINES_A_TURN === 0) await nextTurn();
    if (line.trim() === '') continue;
    const entry = parseEntry(line);
    if (entry) entries.set(`${entry.kind} ${entry.key}`, entry.text);
    else wrong.push(`line ${index + 1} (“${line.trim().slice(0, NAMED_CHARS).toWellFormed()}”)`);
    if (wrong.length > NAMED_LINES) break;
  }
  if (wrong.length > 0) throw new ListUnclear(field, wrong);
  return [...entries.values()].join('\n');
}

/** Tells whether a text has more lines than a list may have entries, without taking it apart. */
function hasMoreLines(text: string) {
  let lines = 1;
  for (const _ of text.matchAll(LINE_END)) if (++lines > ENTRIES_MAX) return true;
  return false;
}

/**
 * Adds an entry to a list, both in their normal form; a blank one is none.
 * @throws ListTooLong
 */
function withEntry(text: string, entry: string, field: string) {
  const lines = text === '' ? [] : text.split('\n');
  if (entry === '' || lines.includes(entry)) return text;
  if (lines.length === ENTRIES_MAX) throw new ListTooLong(field);
  return [...lines, entry].join('\n');
}

/** Yields the entries of a list in its normal form. */
export function* entriesOf(text: string): Generator<ListEntry> {
  for (const line of text.split('\n')) {
    const entry = parseEntry(line);
    if (entry) yield entry;
  }
}

/**
 * Text of lists that is kept ready for look-ups, in characters; of the account that has most, those used longest ago go
 * first. The lists of any one account fit.
 */
const READY_MAX_CHARS = 2 * ACCOUNT_LISTS_MAX_BYTES;

/** The lists of a form, ready for look-ups. */
export interface LookUp {
  block: EntryList;
  allow: EntryList;
}

/** Lists of a form as they were when their digest was this. */
interface Ready {
  digest: string;
  accountId: number;
  chars: number;
  lookUp: LookUp;
}

/** Keeps lists ready for look-ups. A change by another instance is seen after a second. */
@Injectable()
export class LookUps {
  private readonly current = new ReadCache<{ lookUp: LookUp | null }>((keys) => this.read(keys));
  private readonly ready = new Map<number, Ready>();

  constructor(private readonly lists: SpamListsRepository) {}

  /** Returns the lists of a form; null when it has none. */
  async of(formId: number): Promise<LookUp | null> {
    return (await this.current.get(String(formId)))?.lookUp ?? null;
  }

  /** Tells, without waiting, that a form has no lists; false when that is not known now. */
  hasNone(formId: number) {
    return this.current.peek(String(formId))?.lookUp === null;
  }

  /** Drops a copy after a change. */
  forget(formId: number) {
    this.current.forget(String(formId));
  }

  private async read(keys: string[]) {
    const found = new Map(keys.map((key) => [key, { lookUp: null as LookUp | null }]));
    for (const { formId, digest } of await this.lists.digestsOf(keys.map(Number))) {
      found.set(String(formId), { lookUp: await this.readyFor(formId, digest.toString('hex')) });
    }
    return found;
  }

  /** Reads the lists only when they are not those that are ready: they may be long. */
  private async readyFor(formId: number, digest: string) {
    const known = this.ready.get(formId);
    this.ready.delete(formId);
    if (known?.digest === digest) {
      this.ready.set(formId, known);
      return known.lookUp;
    }
    const found = await this.lists.findWithAccount(formId);
    return found && this.makeReady(found.list, found.accountId);
  }

  private async makeReady(list: SpamList, accountId: number): Promise<LookUp> {
    const lookUp = {
      block: await EntryList.of(entriesOf(list.blocked)),
      allow: await EntryList.of(entriesOf(list.allowed)),
    };
    const chars = list.blocked.length + list.allowed.length;
    this.ready.set(list.formId, { digest: list.digest.toString('hex'), accountId, chars, lookUp });
    this.makeRoom();
    return lookUp;
  }

  /** Drops lists of the account that has most of them ready, so that nobody's are pushed out by others' lists. */
  private makeRoom() {
    const held = new Map<number, number>();
    for (const { accountId, chars } of this.ready.values()) held.set(accountId, (held.get(accountId) ?? 0) + chars);
    let over = [...held.values()].reduce((sum, chars) => sum + chars, -READY_MAX_CHARS);
    while (over > 0) {
      const [most] = [...held].reduce((one, other) => (other[1] > one[1] ? other : one));
      const [formId, oldest] = [...this.ready].find(([, each]) => each.accountId === most) ?? [];
      if (formId === undefined || !oldest) return;
      this.ready.delete(formId);
      held.set(most, (held.get(most) ?? 0) - oldest.chars);
      over -= oldest.chars;
    }
  }
}

const BLOCK = 'lists.block';
const ALLOW = 'lists.allow';
/** Anybody has an address there, so it says nothing of who writes. */
const EVERYBODYS = new Set([
  ...['aol.com', 'gmail.com', 'gmx.de', 'gmx.net', 'hotmail.com', 'icloud.com', 'live.com'],
  ...['mail.ru', 'outlook.com', 'proton.me', 'qq.com', 'web.de', 'yahoo.com', 'yandex.ru'],
]);

/** Shows and changes what forms block and allow. */
@Injectable()
export class SpamLists {
  constructor(
    private readonly lists: SpamListsRepository,
    private readonly lookUps: LookUps,
    private readonly forms: FormQueries,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws FormNotFound */
  async get(scope: Scope, identifier: string): Promise<ListTexts> {
    const { id } = await this.forms.get(scope, identifier);
    return textsOf(await this.lists.find(id));
  }

  /**
   * Replaces the lists that are named.
   * @throws FormNotFound, ListUnclear, ListTooLong, SpamListsFull
   */
  async change(principal: Principal, identifier: string, { block, allow }: Partial<ListTexts>): Promise<ListTexts> {
    return this.write(principal, identifier, {
      ...(block !== undefined && { block: await normalList(block, BLOCK) }),
      ...(allow !== undefined && { allow: await normalList(allow, ALLOW) }),
    });
  }

  /**
   * Adds an entry to what a form allows.
   * @throws FormNotFound, ListUnclear, ListTooLong, SpamListsFull
   */
  async allow(principal: Principal, identifier: string, entry: string) {
    const [added = ''] = (await normalList(entry, ALLOW)).split('\n');
    await this.write(principal, identifier, ({ allow }) => ({ allow: withEntry(allow, added, ALLOW) }));
  }

  /** Returns what would let the sender of a submission through: their address and its domain, unless it does. */
  async offers(formId: number, fields: readonly { text: string }[]): Promise<string[]> {
    const { addresses, domains } = soughtIn(fields, '').bySender;
    const [address] = addresses;
    const [domain = ''] = domains;
    if (address === undefined) return [];
    const lookUp = await this.lookUps.of(formId);
    const sought = { words: [], network: '', addresses: [address], domains: [domain] };
    if (lookUp?.allow.find(sought)) return [];
    return [address, ...(EVERYBODYS.has(domain) ? [] : [domain])].filter((entry) => parseEntry(entry) !== null);
  }

  private async write(
    principal: Principal,
    identifier: string,
    change: Partial<ListTexts> | ((before: ListTexts) => Partial<ListTexts>),
  ): Promise<ListTexts> {
    const form = await this.forms.get(principal, identifier);
    const texts = await this.unitOfWork.run(async (tx) => {
      await this.forms.lockCount(tx, form.id);
      const before = textsOf(await this.lists.in(tx).find(form.id));
      const after = { ...before, ...(typeof change === 'function' ? change(before) : change) };
      await this.lists.in(tx).save(SpamList.of(form.id, after));
      await this.assertRoom(tx, form.accountId);
      await this.audit.recordBy(tx, principal, formChanged(form, { settings: 'spam_lists' }));
      return after;
    });
    this.lookUps.forget(form.id);
    return texts;
  }

  private async assertRoom(tx: EntityManager, accountId: number) {
    const bytes = await this.lists.in(tx).bytesOf(accountId);
    if (bytes > ACCOUNT_LISTS_MAX_BYTES) throw new SpamListsFull();
  }
}

function textsOf(list: SpamList | null): ListTexts {
  return { block: list?.blocked ?? '', allow: list?.allowed ?? '' };
}

const NOT_LOOKED_UP = 'The lists of this form could not be looked through in time.';

/**
 * Says that a form blocks something in a submission, or allows who sent it. What is allowed is so whatever else
 * is blocked. Only an address that is a value as a whole is the sender's: any text may name another.
 */
@Injectable()
export class ListsSignal implements SlowSignal {
  readonly name = lists.name;
  readonly points = lists.points;
  readonly enabled = lists.enabled;
  readonly again = lists.again;

  constructor(private readonly lookUps: LookUps) {}

  readonly isSilent = ({ form }: SpamEvidence): boolean => this.lookUps.hasNone(form.id);

  readonly look = async ({ form, fields, address }: SpamEvidence, settings: FormRules): Promise<FoundPart | null> => {
    const lookUp = await this.lookUps.of(form.id);
    if (lookUp === null) return null;
    const { anywhere, bySender } = soughtIn(fields, address);
    const allowed = lookUp.allow.find(bySender);
    if (allowed) {
      return { ...settings.part(this.name, reasonOf(allowed, 'allows')), allows: true };
    }
    const blocked = lookUp.block.find(anywhere);
    return blocked && settings.part(this.name, reasonOf(blocked, 'blocks'));
  };

  /** A list may be long, and the service busy: nobody gets past it for that. */
  readonly unanswered = (settings: FormRules): FoundPart => ({
    ...settings.part(this.name, NOT_LOOKED_UP, UNKNOWN_SHARE),
    holds: true,
  });

  /** A network was looked up by an address that may not be stored. */
  readonly mayHold = async ({ form, address }: SpamEvidence): Promise<boolean> => {
    const lookUp = address === '' ? await this.lookUps.of(form.id) : null;
    return lookUp !== null && (lookUp.block.hasNetworks || lookUp.allow.hasNetworks);
  };
}

function reasonOf({ kind, entry }: Found, does: 'allows' | 'blocks') {
  return entry === null
    ? `This form ${does} the network that it came from.`
    : `This form ${does} the ${kind} "${entry}".`;
}
