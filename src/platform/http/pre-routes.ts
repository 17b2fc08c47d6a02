/** A route that is answered before Express's router, whose cost would be most of its work. */
interface PreRoute {
  /** How that router would spell it. */
  route: string;
  /** In any case of letters, as that router reads paths; the parameter is compared as it is. */
  path: RegExp;
  methods: readonly string[];
}

/** Where submissions come in. */
export const SUBMIT_ROUTE: PreRoute = {
  route: '/f/:identifier',
  path: /^\/f\/([^/?]*)\/?(?:\?.*)?$/is,
  methods: ['OPTIONS', 'POST'],
};

/** Returns the methods that are answered at this path before the router. */
export function preRouteMethods(path: string): readonly string[] {
  return SUBMIT_ROUTE.path.test(path) ? SUBMIT_ROUTE.methods : [];
}
