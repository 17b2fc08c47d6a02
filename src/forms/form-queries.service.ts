import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Scope } from '../accounts/access/index.js';
import { BatchLoader, ReadCache, meaning, NAMES_LOOKED_MAX } from '../platform/index.js';
import { FormGrantsRepository, type GrantedForm } from './access/form-grants.repository.js';
import {
  FormQueriesRepository,
  FormsRepository,
  type AccountTotals,
  type FormSummary,
  type Slice,
} from './forms.repository.js';
import type { Form, FormView } from './model/form.entity.js';
import { FormNotFound } from './model/form.errors.js';
import { isFormIdentifier } from './model/form-changes.js';
import { isLearningDue, LEARNT_FROM } from './model/form-values.js';

export type { FormSummary, GrantedForm, Slice };

/**
 * Forms of a scope that are gone through one by one for what is asked of all. Where there are more, something else is
 * asked, so that no answer takes longer the more forms there are.
 */
export const FEW_FORMS = 200;

/** Forms that one statement reads. */
const FORMS_AT_ONCE = 500;

const FIRST = { page: 1, perPage: 1 };

/**
 * Reads forms, what they have in all, and who sees them, and keeps their counts. Those who ask in the same turn of the event loop, as many do under
 * load, share a query for each scope (decision 0053).
 */
@Injectable()
export class FormQueries {
  private readonly cache = new ReadCache<Form>(async (identifiers) => {
    const found = await this.forms.findPublic(identifiers);
    return new Map(found.map((form) => [form.identifier, form]));
  });
  /** By the key of a scope and the identifier. */
  private readonly views = new BatchLoader<FormView>((keys) => this.readViews(keys));
  /** By the key of a scope. */
  private readonly all = new BatchLoader<FormSummary[]>((keys) => this.readLists(keys));
  /** By the key of a scope. */
  private readonly fewOf = new BatchLoader<FormSummary[]>((keys) => this.readFew(keys));

  constructor(
    private readonly forms: FormsRepository,
    private readonly some: FormQueriesRepository,
    private readonly grants: FormGrantsRepository,
  ) {}

  /** @throws FormNotFound */
  get(scope: Scope, identifier: string): Promise<Form> {
    return this.forms.get(scope, identifier);
  }

  /** Returns a form by an id from another row, on the connection of a transaction that asks; null when it was deleted. */
  find(id: number, tx?: EntityManager): Promise<Form | null> {
    return this.forms.in(tx).find(id);
  }

  /**
   * Returns the form of an identifier, in any account, for visitors, a second old at most.
   * @throws FormNotFound
   */
  async findPublicCached(identifier: string): Promise<Readonly<Form>> {
    const form = isFormIdentifier(identifier) ? await this.cache.get(identifier) : null;
    if (!form) throw new FormNotFound();
    return form;
  }

  /** Forgets what visitors are shown of a form that was changed. */
  forgetPublic(identifier: string) {
    this.cache.forget(identifier);
  }

  /** Returns all forms in the scope, or one page of them, oldest first. */
  async list(scope: Scope, page: Slice | null = null): Promise<readonly FormSummary[]> {
    if (page) return this.forms.list(scope, page);
    return (await this.all.load(keyOf(scope))) ?? [];
  }

  /** Returns what programs see of a form. @throws FormNotFound */
  async view(scope: Scope, identifier: string): Promise<Readonly<FormView>> {
    const form = isFormIdentifier(identifier) ? await this.views.load(`${keyOf(scope)}/${identifier}`) : null;
    if (!form) throw new FormNotFound();
    return form;
  }

  count(scope: Scope) {
    return this.forms.count(scope);
  }

  /**
   * Returns all forms in the scope; null when there are more than FEW_FORMS. Those who ask in the same turn share a
   * query.
   */
  async few(scope: Scope): Promise<readonly FormSummary[] | null> {
    const forms = (await this.fewOf.load(keyOf(scope))) ?? [];
    return forms.length > FEW_FORMS ? null : forms;
  }

  /** Returns the first forms after an id; 0 for the first of all. */
  after(scope: Scope, id: number, limit: number): Promise<FormSummary[]> {
    return this.some.after(scope, id, limit);
  }

  /** Returns the first forms in the scope with all that they have. */
  firstInFull(scope: Scope, limit: number): Promise<Form[]> {
    return this.some.firstInFull(scope, limit);
  }

  /** Returns which of these forms are in the scope, with all that they have. */
  inFull(scope: Scope, ids: readonly number[]): Promise<Form[]> {
    return this.some.inFull(scope, ids);
  }

  /** Returns which of these forms are in the scope. */
  among(scope: Scope, ids: readonly number[]): Promise<FormSummary[]> {
    return this.some.among(scope, ids);
  }

  /** Returns the forms in the scope that have these identifiers. */
  identified(scope: Scope, identifiers: readonly string[]): Promise<FormSummary[]> {
    return this.some.identified(scope, identifiers.filter(isFormIdentifier));
  }

  /** Returns the first forms in the scope that have every one of these words in their names, in any case. */
  async named(scope: Scope, words: readonly string[], limit: number): Promise<FormSummary[]> {
    const isMeant = meaning(words);
    const found = await this.some.named(scope, words, NAMES_LOOKED_MAX);
    return found.filter(({ name }) => isMeant(name)).slice(0, limit);
  }

  /** Returns deleted forms that may still have submissions. */
  listUnpurged(): Promise<Form[]> {
    return this.forms.listUnpurged();
  }

  /** Returns forms that keep their submissions for a limited time. */
  listWithRetention(): Promise<Form[]> {
    return this.forms.listWithRetention();
  }

  /** Returns the forms for which it is time to learn. */
  async *due(): AsyncGenerator<FormSummary> {
    let after = 0;
    for (;;) {
      const some = await this.forms.listUnchosen(LEARNT_FROM, after, FORMS_AT_ONCE);
      for (const form of some) {
        if (isLearningDue(form.previewFields, form.submissionCount)) yield form;
      }
      if (some.length < FORMS_AT_ONCE) return;
      after = some.at(-1)?.id ?? after;
    }
  }

  /** Counts the forms of every account, their submissions and the bytes of their files, for operators. */
  byAccount(): Promise<Map<number, AccountTotals>> {
    return this.forms.byAccount();
  }

  /** Returns what the files of an account take, in bytes. */
  filesBytes(accountId: number) {
    return this.forms.filesBytes(accountId);
  }

  /** Returns how often something of a form was erased: what was read before the last time may be of what is gone. */
  erasuresOf(id: number) {
    return this.forms.erasuresOf(id);
  }

  /** Returns the same within a transaction, before which no erasure of the form is committed any more. */
  lockErasures(tx: EntityManager, id: number) {
    return this.forms.in(tx).lockErasures(id);
  }

  /**
   * Locks the count of a form until this transaction ends. Every transaction that changes
   * submissions does this first: with one order of locks there is no deadlock.
   */
  lockCount(tx: EntityManager, id: number) {
    return this.forms.in(tx).addToCount(id, 0);
  }

  /** Changes the count of a form, in the transaction that changes its submissions. */
  addToCount(tx: EntityManager, id: number, by: number) {
    return this.forms.in(tx).addToCount(id, by);
  }

  /** Returns the ids of the clients that see a form. */
  clientsOf(formId: number): Promise<number[]> {
    return this.grants.clientIdsOf(formId);
  }

  /** Returns the ids of the clients that see each of these forms, by the form; without forms that none sees. */
  async clientsOfEach(formIds: readonly number[]): Promise<Map<number, number[]>> {
    const clients = new Map<number, number[]>();
    for (const { formId, clientId } of await this.grants.ofForms(formIds)) {
      clients.set(formId, [...(clients.get(formId) ?? []), clientId]);
    }
    return clients;
  }

  /** Returns the ids of the forms that clients see, on the connection of a transaction that asks. */
  formsOf(clientIds: readonly number[], tx?: EntityManager): Promise<number[]> {
    return this.grants.in(tx).formIdsOf(clientIds);
  }

  /** Returns the id of the first form in a scope; null when it has none. */
  async firstForm(scope: Scope, tx?: EntityManager): Promise<number | null> {
    const [first] = await this.forms.in(tx).list(scope, FIRST);
    return first?.id ?? null;
  }

  /** Returns the ids of the forms of an account that none of these clients sees, within a transaction. */
  async hiddenFrom(tx: EntityManager, accountId: number, clientIds: readonly number[]): Promise<number[]> {
    const seen = await this.grants.in(tx).formIdsOf(clientIds);
    const all = await this.forms.in(tx).list({ accountId, clientId: null }, null);
    return all.map(({ id }) => id).filter((id) => !seen.includes(id));
  }

  /** Returns the forms of all clients of the account, or of one, oldest form first. */
  grantedForms(accountId: number, clientId: number | null): Promise<GrantedForm[]> {
    return this.grants.listGranted(accountId, clientId);
  }

  /** Returns the first forms of each of these clients of the account. */
  firstGranted(accountId: number, clientIds: number[], limit: number): Promise<GrantedForm[]> {
    return this.grants.firstGranted(accountId, clientIds, limit);
  }

  private async readViews(keys: string[]): Promise<Map<string, FormView>> {
    const wanted = new Map<string, string[]>();
    for (const key of keys) {
      const at = key.lastIndexOf('/');
      const scope = key.slice(0, at);
      const identifiers = wanted.get(scope) ?? [];
      identifiers.push(key.slice(at + 1));
      wanted.set(scope, identifiers);
    }
    const found = await Promise.all(
      [...wanted].map(async ([scope, identifiers]) => {
        const forms = await this.forms.views(scopeOf(scope), identifiers);
        return forms.map((form) => [`${scope}/${form.identifier}`, form] as const);
      }),
    );
    return new Map(found.flat());
  }

  private async readLists(keys: string[]) {
    const read = async (key: string) => [key, await this.forms.list(scopeOf(key), null)] as const;
    return new Map(await Promise.all(keys.map(read)));
  }

  private async readFew(keys: string[]) {
    const read = async (key: string) => {
      return [key, await this.some.after(scopeOf(key), 0, FEW_FORMS + 1)] as const;
    };
    return new Map(await Promise.all(keys.map(read)));
  }
}

/** Names a scope in a text, from which `scopeOf` makes it again. */
function keyOf({ accountId, clientId }: Scope) {
  return clientId === null ? String(accountId) : `${accountId}/${clientId}`;
}

/** Makes the scope again that `keyOf` named. */
function scopeOf(key: string): Scope {
  const [accountId, clientId] = key.split('/');
  return { accountId: Number(accountId), clientId: clientId === undefined ? null : Number(clientId) };
}
