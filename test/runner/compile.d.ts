export function optionsOf(tsx: boolean): object;
export function compile(path: string): { code: string; map: string };
