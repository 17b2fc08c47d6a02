import type { Request } from 'express';
import { preRouteMethods } from './pre-routes.js';

/** The part of a layer of Express's router that is read here. */
interface RouteLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Returns the methods of the routes at a request's path, sorted; none when there is no route. */
export function allowedMethods(request: Request): string[] {
  // The types of Express lack a layer's `match` and the `methods` of its route.
  const { stack } = request.app.router as unknown as { stack: RouteLayer[] };
  const methods = new Set(preRouteMethods(request.path));
  for (const layer of stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false; // an invalid percent-encoding
  }
}
