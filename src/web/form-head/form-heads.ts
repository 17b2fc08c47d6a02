import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { BrandsService } from '../../brands/brands.service.js';
import { mayChange } from '../../forms/access/may-change.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FormShown } from './form-head.js';

/** Tells what the head above every page of a form shows, and which of its tabs somebody may open. */
@Injectable()
export class FormHeads {
  constructor(private readonly brands: BrandsService) {}

  async of(
    principal: Principal,
    form: Pick<Form, 'id' | 'accountId' | 'name' | 'identifier' | 'madeByClientId'>,
  ): Promise<FormShown> {
    const { name, identifier } = form;
    const { baseUrl } = await this.brands.ofForm(form);
    return {
      ...{ name, identifier, address: `${baseUrl}/f/${identifier}` },
      mayChange: mayChange(principal, form),
      mayErase: principal.may('erase'),
      mayImport: principal.has('forms:write') && principal.may('triage'),
      mayCount: principal.has('submissions:read') && principal.may('see'),
    };
  }
}
