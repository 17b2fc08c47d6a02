import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { SignedIn } from '../people/sign-in.service.js';
import type { PageRequest } from './session.guard.js';

/** Hands the handler who signed in; undefined on a page for everyone that a stranger opened. */
export const CurrentPerson = createParamDecorator(
  (_: undefined, context: ExecutionContext): SignedIn | undefined =>
    context.switchToHttp().getRequest<PageRequest>().signedIn,
);
