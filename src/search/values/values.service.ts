import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../../access/principal.js';
import type { AuditDetails } from '../../audit/audit-entry.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import { formTarget } from '../../forms/model/form-changes.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormsService } from '../../forms/forms.service.js';
import { ErasureService } from '../../submissions/erasure/erasure.service.js';
import { valueLookup, type Lookup } from '../../submissions/model/value-digests.js';
import { ValueIndex } from './value-index.js';

/** Answers and erases by what was submitted in a field. */
@Injectable()
export class ValuesService {
  constructor(
    private readonly forms: FormsService,
    private readonly values: ValueIndex,
    private readonly erasure: ErasureService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Tells whether the value was submitted in this field, not counting spam and the trash.
   * @throws FormNotFound
   */
  async exists(scope: Scope, identifier: string, name: string, text: string): Promise<boolean> {
    const form = await this.forms.get(scope, identifier);
    for await (const submission of this.values.find(form.id, valueLookup(name, text))) {
      if (submission.isCounted) return true;
    }
    return false;
  }

  /**
   * Removes every submission, spam and trash too, with this value in this field.
   * @returns how many
   * @throws FormNotFound
   */
  async erase(
    principal: Principal,
    identifier: string,
    name: string,
    text: string,
  ): Promise<number> {
    const form = await this.forms.get(principal, identifier);
    return this.eraseFound(principal, form, valueLookup(name, text), { field: name });
  }

  /**
   * Removes every submission of a form that a look-up means, spam and trash too. The form's scope was checked
   * already.
   * @param details what the audit log says beside the count
   * @returns how many
   */
  async eraseFound(
    principal: Principal,
    form: Pick<Form, 'id' | 'identifier' | 'name'>,
    lookup: Lookup,
    details: AuditDetails,
  ): Promise<number> {
    const ids: Buffer[] = [];
    for await (const { id } of this.values.find(form.id, lookup)) ids.push(id);
    return this.erasure.erase(form.id, ids, (tx, count) =>
      this.audit.recordBy(tx, principal, {
        action: 'submissions.erased',
        target: formTarget(form),
        details: { ...details, count },
      }),
    );
  }
}
