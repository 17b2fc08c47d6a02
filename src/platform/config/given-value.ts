import { readFileSync, statSync } from 'node:fs';

/** Ends the name of a variable that names a file with the value, as container platforms hand out secrets. */
export const IN_FILE = '_FILE';
/** Most bytes of a file with a value. */
const FILE_MAX_BYTES = 65_536;

/** Returns the setting that a variable such as `SMTP_URL_FILE` holds the file of; null for other names. */
export function settingInFile(variable: string): string | null {
  return variable.endsWith(IN_FILE) ? variable.slice(0, -IN_FILE.length) : null;
}

/**
 * Returns the value of a setting, from its variable or from the file that `NAME_FILE` names; undefined if it is empty or
 * neither is set.
 * @param problems gets a sentence if both are set, or the file cannot be read
 */
export function givenValue(
  name: string,
  environment: Record<string, string | undefined>,
  problems: string[],
): string | undefined {
  const value = withoutQuotes(environment[name] ?? '');
  const file = withoutQuotes(environment[name + IN_FILE] ?? '');
  if (file === '') return value || undefined;
  if (value !== '') {
    problems.push(`${name} and ${name}${IN_FILE} are both set. Remove one of them.`);
    return undefined;
  }
  try {
    return withoutMark(readValue(file)).trim() || undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`${name}${IN_FILE} names a file that cannot be used: ${reason}.`);
    return undefined;
  }
}

/** Removes the mark that editors put in front of a text in UTF-8. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Removes the quotes and line ends that some programs leave around a value of an environment file. */
function withoutQuotes(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2');
}

function readValue(file: string): string {
  const { size } = statSync(file);
  if (size > FILE_MAX_BYTES) throw new Error(`${file} is larger than ${FILE_MAX_BYTES} bytes`);
  const text = readFileSync(file, 'utf8');
  if (text.includes('\0') || text.includes('\uFFFD')) throw new Error(`${file} is not UTF-8 text`);
  return text;
}
