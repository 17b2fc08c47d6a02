/** A route that is answered before Express's router, which would take more time than the answer. */
interface PreRoute {
  /** The route in Express's spelling, for logs and metrics. */
  route: string;
  /** Matches as Express would: in any case of letters. The case of the parameter counts. */
  path: RegExp;
  methods: readonly string[];
}

/** The route that takes submissions. */
export const SUBMIT_ROUTE: PreRoute = {
  route: '/f/:identifier',
  path: /^\/f\/([^/?]*)\/?(?:\?.*)?$/is,
  methods: ['OPTIONS', 'POST'],
};

/** Returns the methods that are answered at this path before the router. */
export function preRouteMethods(path: string): readonly string[] {
  return SUBMIT_ROUTE.path.test(path) ? SUBMIT_ROUTE.methods : [];
}
