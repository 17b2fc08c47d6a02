/**
 * @param read returns the text of a file of the repository
 * @param isUnderWay whether changes after the last release are no problem
 */
export function problemsOfRelease(read: (name: string) => string, isUnderWay?: boolean): string[];
export function problemsOfTests(run: { mode?: string; hasPassed?: boolean; alone: string[] }): string[];
