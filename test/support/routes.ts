import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Method } from './service.js';

interface Layer {
  route?: { path: string | RegExp; methods: Record<string, boolean> };
}

/** A route that answers, with every parameter set to `x`. */
export interface Route {
  method: Method;
  path: string;
}

/** Every route the running service knows, read from its router. */
export function routesOf(app: NestExpressApplication): Route[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return router.stack.flatMap(({ route }) =>
    typeof route?.path === 'string'
      ? Object.keys(route.methods).map((method) => ({
          method: method as Method,
          path: String(route.path).replace(/:\w+/g, 'x'),
        }))
      : [],
  );
}

/** Paths of all that is not a page: the API, forms as visitors see them, and what operators ask. */
const NO_PAGE = /^\/(?:api|f|files|recipients|assets|health|metrics)(?:\/|$)/;

/** Whether a path is that of a page for people who sign in. */
export function isPage(path: string): boolean {
  return !NO_PAGE.test(path);
}
