import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import type { PageRequest } from './session.guard.js';

/** Hands the handler the person of the session; undefined without a session, on pages for everyone. */
export const CurrentPerson = createParamDecorator(
  (_: undefined, context: ExecutionContext): SignedIn | undefined =>
    context.switchToHttp().getRequest<PageRequest>().signedIn,
);
