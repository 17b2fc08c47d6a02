import {
  applyDecorators,
  createParamDecorator,
  RequestMethod,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ApiExcludeController, ApiExtension, ApiParam, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import { ReadsForms, ReadsShortJson, ApiUuid, paramOf, recordIdOf } from '../../platform/http/index.js';
import { uuidOf } from '../../platform/index.js';
import type { Principal, Right, Action } from './principal.js';

export const PUBLIC = 'access:public';
export const RIGHT = 'access:right';
export const WEB_PAGE = 'access:web-page';
export const ACTION = 'access:action';
export const SESSION_ROUTE = 'access:session-route';
export const OPEN_WHILE_VIEWING = 'access:open-while-viewing';

/** Names the audience of a page: people who act for an account or a client, people who are signed in, or everyone. */
export type WebAudience = 'members' | 'people' | 'everyone';

/** Opens a route to everyone; without it a route asks for a token. */
export const Public = () => applyDecorators(SetMetadata(PUBLIC, true), ApiSecurity({}));

/** Names the right that this route needs, to the guards and to the OpenAPI document. */
export const Requires = (right: Right) => applyDecorators(SetMetadata(RIGHT, right), ApiExtension('x-right', right));

/** Names the rights that the routes of a controller need, where they name none: to read, and to change something. */
export const RoutesRequire =
  (toRead: Right, toChange = toRead): ClassDecorator =>
  ({ prototype }) => {
    const members = Object.getOwnPropertyDescriptors(prototype as Record<string, object>);
    for (const [name, member] of Object.entries(members)) {
      const verb: unknown = Reflect.getMetadata(METHOD_METADATA, member.value as object);
      if (verb === undefined || Reflect.hasMetadata(RIGHT, member.value as object)) continue;
      const right = verb === RequestMethod.GET ? toRead : toChange;
      Requires(right)(prototype as object, name, member);
    }
  };

/**
 * Marks a controller as pages for people who sign in: the cookie of a session opens them and no token
 * does, and its routes read forms. A handler may name another audience. `@Requires()` and `@Allows()` hold
 * there too.
 * @param audience `members`: a session with a current account or client, so that there is a principal;
 *   `people`: any session; `everyone`: without one too, where a changing request still has to come
 *   from a page of this service
 */
export const WebPage = (audience: WebAudience = 'members') =>
  applyDecorators(SetMetadata(WEB_PAGE, audience), ReadsForms(), ApiExcludeController());

/**
 * Marks routes of the API that are about a person and not about an account: a session opens them, sent by
 * a page of this service, and no token does.
 * @param audience `people`: any session; `everyone`: without one too
 */
export const SessionRoute = (audience: Exclude<WebAudience, 'members'> = 'people') =>
  applyDecorators(
    SetMetadata(WEB_PAGE, audience),
    SetMetadata(SESSION_ROUTE, true),
    ReadsShortJson(),
    ApiSecurity(audience === 'people' ? 'session' : {}),
  );

/** Names the action on submissions that this page needs, and this route of the API from a client, to the guards. */
export const Allows = (action: Action) => SetMetadata(ACTION, action);

/** Leaves a page open to an owner who sees the pages as somebody else; else they only read members' pages. */
export const OpenWhileViewing = () => SetMetadata(OPEN_WHILE_VIEWING, true);

/** Hands the handler the principal that the guard recognised. */
export const CurrentPrincipal = createParamDecorator(
  (_: undefined, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<Request & { user: Principal }>().user,
);

/** The asker for a form, and the identifier of the form. */
export interface InForm {
  principal: Principal;
  /** As it stands in the path; nobody has looked whether there is such a form. */
  identifier: string;
  /** Id of a thing in the form, such as a submission; null for text that is none, which is answered like an unknown id. */
  id: Buffer | null;
}

/** Reads from the path for which form, and for which thing in it, is asked, and by whom. */
export const AskedForm = createParamDecorator((_: undefined, context: ExecutionContext): InForm => {
  const { user, params } = context
    .switchToHttp()
    .getRequest<Request<{ identifier: string; id?: string }> & { user: Principal }>();
  return { principal: user, identifier: params.identifier, id: uuidOf(params.id) };
});

/** Gives a route who asks for which form, and for which thing in it. */
export const InForm = (thing?: 'id') => {
  const described = ApiParam({ name: 'identifier', type: String });
  return paramOf(AskedForm(), thing ? applyDecorators(described, ApiUuid(thing)) : described);
};

/** The asker for a thing with a number, such as a client. */
export interface OfRecord {
  principal: Principal;
  /** One that no row has, for text that is no number. */
  id: number;
}

const AskedRecord = createParamDecorator((_: undefined, context: ExecutionContext): OfRecord => {
  const request = context.switchToHttp().getRequest<Request<{ id: string }> & { user: Principal }>();
  return { principal: request.user, id: recordIdOf(request.params.id) };
});

/** Gives a route who asks for which thing with a number. */
export const OfRecord = () => paramOf(AskedRecord(), ApiParam({ name: 'id', type: Number }));
