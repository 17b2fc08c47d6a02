import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ACTION, RIGHT } from '../access/access.decorators.js';
import { ActionForbidden } from '../access/access.errors.js';
import type { Principal } from '../access/principal.js';
import type { Right } from '../access/rights.js';
import type { Action } from '../access/roles.js';
import { FormsService } from '../forms/forms.service.js';
import { assertMayChange } from '../forms/access/may-change.js';

/** Rights of routes that, with the identifier of a form, are for who may change it. */
const CHANGES: readonly Right[] = ['forms:write', 'forms:create', 'webhooks:secret'];

/**
 * Keeps a client from the routes that change, copy or tell the secret of a form, unless it made the form. What they `@Allows()` is asked of its tokens too.
 */
@Injectable()
export class FormGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly forms: FormsService,
  ) {}

  /** @throws FormNotFound, FormNotOwn, ActionForbidden */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const right = this.reflector.getAllAndOverride<Right | undefined>(RIGHT, targets);
    if (!right || !CHANGES.includes(right)) return true;
    const { user, params } = context
      .switchToHttp()
      .getRequest<Request<{ identifier?: string }> & { user: Principal }>();
    if (user.clientId === null || params.identifier === undefined) return true;
    assertMayChange(user, await this.forms.get(user, params.identifier));
    const action = this.reflector.getAllAndOverride<Action | undefined>(ACTION, targets);
    if (action && !user.may(action)) throw new ActionForbidden(action);
    return true;
  }
}
