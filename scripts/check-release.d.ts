/** @param read returns the text of a file of the repository */
export function problemsOfRelease(read: (name: string) => string): string[];
