import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { formChanged } from '../model/form-changes.js';
import type { Form } from '../model/form.entity.js';
import { FormNotFound } from '../model/form.errors.js';
import { FormQueries } from '../form-queries.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { ReadCache } from '../../platform/index.js';
import { Projected, type Projection } from '../projections.js';
import { AliasMalformed, AliasNotFound, AliasTaken, TooManyAliases } from './alias.errors.js';
import { FormAlias } from './form-alias.entity.js';
import { FormAliasesRepository, type Route } from './form-aliases.repository.js';
import { ALIAS_MAX, isIdOf, normaliseId, type Provider, isOwnSegment } from './old-address.js';

/** Most aliases of a form. */
const ALIASES_MAX = 200;
/** Time in which the use of an alias is noted once, in milliseconds. */
const TOUCH_MS = 10_000;

/** A form of the scope that a value leads to; `free` for a value that could lead to one, `taken` for one that cannot. */
export type Standing = { identifier: string } | 'free' | 'taken';

/** An alias, and the form that it leads to. */
export interface AliasOfForm {
  alias: FormAlias;
  form: { name: string; identifier: string };
}

/** A form that a visitor sends to, and the alias that led there; null for its own identifier. */
export interface Reached {
  form: Readonly<Form>;
  alias: Route | null;
}

/** Has ids of other providers lead to forms, and notes which are still in use. */
@Injectable()
@Projected({ tables: ['form_aliases'] })
export class AliasesService implements Projection {
  private readonly logger = new Logger('Aliases');
  private readonly cache: ReadCache<Route>;
  /** When the last use of an alias was noted, and its page. */
  private readonly touched = new Map<number, { at: number; page: string | null }>();

  constructor(
    private readonly aliases: FormAliasesRepository,
    private readonly forms: FormQueries,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.cache = new ReadCache(async (values) => {
      const found = await this.aliases.routes(values);
      return new Map(found.map((route) => [route.value, route]));
    });
  }

  /** Returns the aliases of a form, oldest first. @throws FormNotFound */
  async list(scope: Scope, identifier: string): Promise<FormAlias[]> {
    const { id } = await this.forms.get(scope, identifier);
    return this.aliases.listOf(id);
  }

  /** Returns the aliases of all forms in a scope, the one that was last used first. */
  async listAll(scope: Scope): Promise<AliasOfForm[]> {
    const forms = new Map((await this.forms.list(scope, null)).map((form) => [form.id, form]));
    const all = await this.aliases.listOfAccount(scope.accountId);
    return all.flatMap((alias) => {
      const form = forms.get(alias.formId ?? 0);
      return form ? [{ alias, form }] : [];
    });
  }

  /**
   * Has an id of a provider lead to a form. One that leads there already stays as it is.
   * @throws FormNotFound, AliasMalformed, AliasTaken, TooManyAliases
   */
  async add(principal: Principal, identifier: string, provider: Provider, text: string): Promise<FormAlias> {
    const value = normaliseId(text);
    refuseMalformed(provider, value);
    const form = await this.forms.get(principal, identifier);
    const alias = await this.unitOfWork.run(async (tx) => {
      const aliases = this.aliases.in(tx);
      await this.forms.lockCount(tx, form.id);
      if (await aliases.isIdentifier(value)) throw new AliasTaken(value, null);
      const known = await aliases.findByValue(value);
      if (known) await this.refuseTaken(tx, principal, form, known);
      if (known?.formId === form.id && known.provider === provider) return known;
      if ((await aliases.listOf(form.id)).length >= ALIASES_MAX) {
        throw new TooManyAliases(ALIASES_MAX);
      }
      const alias = (known ?? new FormAlias()).lead(form, provider, value, new Date());
      const saved = await aliases.save(alias);
      const details = { settings: 'aliases', added: `${provider} ${value}` };
      await this.audit.recordBy(tx, principal, formChanged(form, details));
      return saved;
    });
    this.cache.forget(value);
    return alias;
  }

  /** Returns where a value leads, as a scope may know. */
  async standing(scope: Scope, text: string): Promise<Standing> {
    const value = normaliseId(text);
    if (await this.aliases.isIdentifier(value)) return 'taken';
    const alias = await this.aliases.findByValue(value);
    if (!alias) return 'free';
    if (alias.accountId !== scope.accountId) return 'taken';
    const form = alias.formId === null ? null : await this.forms.find(alias.formId);
    if (!form) return 'free';
    const isSeen = await this.forms.get(scope, form.identifier).catch(nullIfNotFound);
    return isSeen ? { identifier: form.identifier } : 'taken';
  }

  /** Has an alias lead nowhere. @throws FormNotFound, AliasNotFound */
  async remove(principal: Principal, identifier: string, id: number) {
    const form = await this.forms.get(principal, identifier);
    const alias = await this.aliases.find(form.id, id);
    if (!alias) throw new AliasNotFound();
    await this.unitOfWork.run(async (tx) => {
      await this.aliases.in(tx).release({ id });
      const details = { settings: 'aliases', removed: `${alias.provider} ${alias.value}` };
      await this.audit.recordBy(tx, principal, formChanged(form, details));
    });
    this.cache.forget(alias.value);
  }

  /** Forgets a value, so that any account can have it. @returns whether there was one */
  free(text: string) {
    return this.unitOfWork.run((tx) => this.aliases.in(tx).delete(normaliseId(text)));
  }

  /**
   * Returns the form that an identifier or an alias leads to, in any account, for visitors, a second old at most. Text
   * that is too long for either causes no query.
   * @throws FormNotFound
   */
  async reach(text: string): Promise<Reached> {
    const own = await this.forms.findPublicCached(text).catch(nullIfNotFound);
    if (own) return { form: own, alias: null };
    const value = normaliseId(text);
    const alias = value.length > ALIAS_MAX ? null : await this.cache.get(value);
    if (!alias) throw new FormNotFound();
    return { form: await this.forms.findPublicCached(alias.identifier), alias };
  }

  /** Notes in the background that a submission came by an alias: no visitor waits for it. */
  used({ id }: Route, page: string | null) {
    const last = this.touched.get(id);
    const at = performance.now();
    if (last?.page === page && at - last.at < TOUCH_MS) return;
    this.touched.set(id, { at, page });
    this.unitOfWork
      .run((tx) => this.aliases.in(tx).touch(id, new Date(), page))
      .catch((error: unknown) => {
        this.touched.delete(id);
        this.logger.warn('The last use of an alias was not stored', { error });
      });
  }

  async forgetForm(formId: number) {
    await this.unitOfWork.run((tx) => this.aliases.in(tx).release({ formId }));
  }

  /** Refuses a value of another account, and one that leads to another form. @throws AliasTaken */
  private async refuseTaken(
    tx: EntityManager,
    principal: Principal,
    form: Form,
    { accountId, formId, value }: FormAlias,
  ) {
    if (accountId !== form.accountId) throw new AliasTaken(value, null);
    if (formId === null || formId === form.id) return;
    const other = await this.forms.find(formId, tx);
    if (other) throw new AliasTaken(value, principal.clientId === null ? other.name : null);
  }
}

/** @throws AliasMalformed */
function refuseMalformed(provider: Provider, value: string) {
  if (provider === 'netlify') {
    throw new AliasMalformed('Pages made for Netlify name no id. Give their form the address of the form here.');
  }
  if (!isIdOf(provider, value)) {
    throw new AliasMalformed(`“${value}” is no id of ${provider}. Take it from the old address.`);
  }
  if (isOwnSegment(value)) {
    throw new AliasMalformed(`“${value}” is an address of this service itself.`);
  }
}

/** Returns null for a form that is not found, and throws any other error. */
function nullIfNotFound(error: unknown) {
  if (error instanceof FormNotFound) return null;
  throw error;
}
