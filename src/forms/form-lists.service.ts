import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/principal.js';
import { BatchLoader } from '../platform/kernel/batch-loader.js';
import { meaning, NAMES_LOOKED_MAX } from '../platform/kernel/text/name-search.js';
import { FormListsRepository } from './form-lists.repository.js';
import { keyOf, scopeOf } from './form-reads.js';
import { Form } from './model/form.entity.js';
import { isFormIdentifier } from './model/form-identifier.js';
import { type FormSummary, FormsRepository } from './forms.repository.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { encodeLearnt, isLearningDue, LEARNT_FROM } from './model/preview-fields.js';

/**
 * Forms of a scope that are gone through one by one for what is asked of all. Where there are more, something else is
 * asked, so that no answer takes longer the more forms there are.
 */
export const FEW_FORMS = 200;

/** Lists a few of the forms of a scope, oldest first, at the same cost however many there are. */
@Injectable()
export class FormLists {
  /** By the key of a scope. */
  private readonly fewOf = new BatchLoader<FormSummary[]>((keys) => this.readFew(keys));

  constructor(private readonly forms: FormListsRepository) {}

  /**
   * Returns all forms in the scope; null when there are more than FEW_FORMS. Those who ask in the same turn share a
   * query, as with `FormReads`.
   */
  async few(scope: Scope): Promise<readonly FormSummary[] | null> {
    const forms = (await this.fewOf.load(keyOf(scope))) ?? [];
    return forms.length > FEW_FORMS ? null : forms;
  }

  /** Returns the first forms after an id; 0 for the first of all. */
  after(scope: Scope, id: number, limit: number): Promise<FormSummary[]> {
    return this.forms.after(scope, id, limit);
  }

  /** Returns the first forms in the scope with all that they have. */
  firstInFull(scope: Scope, limit: number): Promise<Form[]> {
    return this.forms.firstInFull(scope, limit);
  }

  /** Returns those of these forms that are in the scope with all that they have. */
  inFull(scope: Scope, ids: readonly number[]): Promise<Form[]> {
    return this.forms.inFull(scope, ids);
  }

  /** Returns those of these forms that are in the scope. */
  among(scope: Scope, ids: readonly number[]): Promise<FormSummary[]> {
    return this.forms.among(scope, ids);
  }

  /** Returns the forms in the scope that have these identifiers. */
  identified(scope: Scope, identifiers: readonly string[]): Promise<FormSummary[]> {
    return this.forms.identified(scope, identifiers.filter(isFormIdentifier));
  }

  /** Returns the first forms in the scope that have every one of these words in their names, in any case. */
  async named(scope: Scope, words: readonly string[], limit: number): Promise<FormSummary[]> {
    const isMeant = meaning(words);
    const found = await this.forms.named(scope, words, NAMES_LOOKED_MAX);
    return found.filter(({ name }) => isMeant(name)).slice(0, limit);
  }

  private async readFew(keys: string[]): Promise<Map<string, FormSummary[]>> {
    const read = async (key: string) => {
      return [key, await this.forms.after(scopeOf(key), 0, FEW_FORMS + 1)] as const;
    };
    return new Map(await Promise.all(keys.map(read)));
  }
}

/** Forms that one statement reads. */
const FORMS_AT_ONCE = 500;

/** Keeps what was learnt about the fields of forms whose owners have chosen none. */
@Injectable()
export class FormPreviews {
  constructor(
    private readonly forms: FormsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

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

  /** Keeps which fields tell most; a choice that was made meanwhile stays. */
  learn(form: FormSummary, fields: string[]): Promise<void> {
    const text = encodeLearnt({ at: form.submissionCount, fields });
    return this.unitOfWork.run((tx) => this.forms.in(tx).setPreview(form, text));
  }
}
