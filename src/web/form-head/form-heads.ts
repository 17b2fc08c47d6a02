import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { BrandsService } from '../../brands/brands.service.js';
import { mayChange } from '../../forms/access/may-change.js';
import type { Form } from '../../forms/model/form.entity.js';

/** A form as the head of its pages shows it. */
export interface FormShown {
  name: string;
  identifier: string;
  /** The public address that takes submissions. */
  address: string;
  /** Whether the reader may change the form, delete submissions, and see how many there were. */
  mayChange: boolean;
  mayErase: boolean;
  mayImport: boolean;
  mayCount: boolean;
}

/** A form, as its head is made from. */
export type HeadedForm = Pick<Form, 'id' | 'accountId' | 'name' | 'identifier' | 'madeByClientId'>;

/** Tells what the head above every page of a form shows, and which of its tabs somebody may open. */
@Injectable()
export class FormHeads {
  constructor(private readonly brands: BrandsService) {}

  async of(principal: Principal, form: HeadedForm): Promise<FormShown> {
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
