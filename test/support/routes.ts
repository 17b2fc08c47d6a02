import { OLD_ADDRESSES } from '../../src/web/settings/account-settings.controller.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Method } from './service.js';

interface Layer {
  route?: { path: string | RegExp; methods: Record<string, boolean> };
}

/** A route that answers; its parameters are written `:name` in a template, and set to `x` in a path. */
export interface Route {
  method: Method;
  path: string;
}

/** Returns every route of the running service, read from its router. */
export function routesOf(app: NestExpressApplication): Route[] {
  return templatesOf(app).map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, 'x') }));
}

/** Returns every route as the router knows it, such as `/forms/:identifier`. */
export function templatesOf(app: NestExpressApplication): Route[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return router.stack.flatMap(({ route }) =>
    typeof route?.path === 'string'
      ? Object.keys(route.methods).map((method) => ({ method: method as Method, path: route.path as string }))
      : [],
  );
}

/** Paths of all that is not a page: the API, forms as visitors see them, and what operators ask. */
const NO_PAGE =
  /^\/(?:api|f|files|exports|recipients|opt-in|bounces|assets|docs(?:\.md)?|llms(?:-full)?\.txt|health|metrics|mcp|favicon\.ico|proof-of-work\.js|f(?:-draft|\.[^/]+)?\.js)(?:\/|$)/;

/** Tells whether a path is that of a page for people who sign in, and not one that a page had before. */
export function isPage(path: string): boolean {
  return !NO_PAGE.test(path) && !(path.slice(1) in OLD_ADDRESSES);
}

/** Tells whether a route of the API is for who is signed in at a browser; no token opens it. */
export function isForSessions(path: string): boolean {
  return /^\/api\/v1\/(?:me|sign-in)\//.test(path);
}

/**
 * Returns the path of a template, with ids by the part of it that stands before them.
 * @throws when no id is known for a part
 */
export function fillTemplate(template: string, idFor: (noun: string) => string | number): string {
  const nouns = template.split('/');
  return nouns.map((part, index) => (part.startsWith(':') ? idFor(nounOf(nouns, index)) : part)).join('/');
}

/** Returns what an id at this place of a template belongs to: `/inbox/:identifier/:id` shows a submission of a form. */
function nounOf(parts: string[], index: number): string {
  const before = parts[index - 1] ?? '';
  if (before === 'inbox') return 'forms';
  return before === ':identifier' ? 'submissions' : before;
}
