import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { mayChange } from '../../forms/access/may-change.js';
import type { Form } from '../../forms/model/form.entity.js';
import { Config } from '../../platform/config/config.js';
import type { FormShown } from './form-head.js';

/** Tells what the head above every page of a form shows, and which of its tabs somebody may open. */
@Injectable()
export class FormHeads {
  constructor(private readonly config: Config) {}

  of(principal: Principal, form: Pick<Form, 'name' | 'identifier' | 'madeByClientId'>): FormShown {
    const { name, identifier } = form;
    return {
      ...{ name, identifier, address: `${this.config.baseUrl}/f/${identifier}` },
      mayChange: mayChange(principal, form),
      mayErase: principal.may('erase'),
      mayImport: principal.has('forms:write') && principal.may('triage'),
      mayCount: principal.has('submissions:read') && principal.may('see'),
    };
  }
}
