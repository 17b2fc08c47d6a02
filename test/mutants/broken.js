/**
 * Says how rules of a file are broken.
 * @param {string} file where they stand
 * @param {string} near the tests that should notice: project, the name of their file, and perhaps words of their names
 * @param {Record<string, string | [find: string, put: string]>} rules by what holds: a text that stands once in the file and
 *   goes, or such a text and what it becomes
 */
export function broken(file, near, rules) {
  return Object.entries(rules).map(([rule, change]) => {
    const [find, put = ''] = [change].flat();
    return { rule, file, near, find, put };
  });
}
