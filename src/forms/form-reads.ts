import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/principal.js';
import { BatchLoader } from '../platform/kernel/batch-loader.js';
import type { FormView } from './model/form.entity.js';
import { isFormIdentifier } from './model/form-identifier.js';
import { FormNotFound } from './model/form.errors.js';
import { FormsRepository, type FormSummary } from './forms.repository.js';

/**
 * Reads forms for those who only look at them. Those who ask in the same turn of the event loop, as many do under
 * load, share a query for each scope (decision 0064).
 */
@Injectable()
export class FormReads {
  /** By the key of a scope and the identifier. */
  private readonly views = new BatchLoader<FormView>((keys) => this.readViews(keys));
  /** By the key of a scope. */
  private readonly lists = new BatchLoader<FormSummary[]>((keys) => this.readLists(keys));

  constructor(private readonly forms: FormsRepository) {}

  /** Returns all forms in the scope, oldest first. */
  async list(scope: Scope): Promise<readonly FormSummary[]> {
    return (await this.lists.load(keyOf(scope))) ?? [];
  }

  /** Returns what programs see of a form. @throws FormNotFound */
  async view(scope: Scope, identifier: string): Promise<Readonly<FormView>> {
    const form = isFormIdentifier(identifier)
      ? await this.views.load(`${keyOf(scope)}/${identifier}`)
      : null;
    if (!form) throw new FormNotFound();
    return form;
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

  private async readLists(keys: string[]): Promise<Map<string, FormSummary[]>> {
    const read = async (key: string) => [key, await this.forms.list(scopeOf(key), null)] as const;
    return new Map(await Promise.all(keys.map(read)));
  }
}

/** Names a scope in a text, from which `scopeOf` makes it again. */
export function keyOf({ accountId, clientId }: Scope): string {
  return clientId === null ? String(accountId) : `${accountId}/${clientId}`;
}

/** Makes the scope again that `keyOf` named. */
export function scopeOf(key: string): Scope {
  const [accountId, clientId] = key.split('/');
  return {
    accountId: Number(accountId),
    clientId: clientId === undefined ? null : Number(clientId),
  };
}
