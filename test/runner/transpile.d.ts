/** Makes an ES module of one source without a look at its types, for a copy of the service that a test changes. */
export function transpile(path: string): string;
