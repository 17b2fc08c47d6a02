import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Principal } from './principal.js';
import type { Right } from './rights.js';

export const PUBLIC = 'access:public';
export const RIGHT = 'access:right';

/** Opens a route to everyone; without it a route asks for a token. */
export const Public = () => applyDecorators(SetMetadata(PUBLIC, true), ApiSecurity({}));

/** Names the right a token must have for this route, to the guard and to the OpenAPI document. */
export const Requires = (right: Right) =>
  applyDecorators(SetMetadata(RIGHT, right), ApiExtension('x-right', right));

/** Hands the handler the principal that the guard recognised. */
export const CurrentPrincipal = createParamDecorator(
  (_: undefined, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<Request & { user: Principal }>().user,
);
