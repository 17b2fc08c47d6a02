import { filterPart, parseFilterLine, withParts, type FilterState } from '../../submissions/filter/filter-line.js';
import { typedAddress } from '../../platform/index.js';

/** The line of a filter for each folder; `all` leaves out spam and the trash. */
const FOLDERS = {
  new: 'is:new',
  all: '',
  done: 'is:done',
  held: 'is:held',
  spam: 'is:spam',
  trash: 'is:trash',
} as const;

/** Name of a folder. */
export type FolderName = keyof typeof FOLDERS;

/** All folders in the order in which they are shown. */
export const FOLDER_NAMES = Object.keys(FOLDERS) as FolderName[];

/** The line that the inbox begins with. */
export const NEW = FOLDERS.new;

/** A form as the inbox names it. */
interface NamedForm {
  name: string;
  identifier: string;
}

/** Returns the folder that a line of a filter is about. */
export function folderOf(line: string): FolderName {
  const { is } = parseFilterLine(line, new Date());
  const asked: readonly FilterState[] = ['trash', 'spam', 'held', 'done', 'new'];
  const state = asked.find((each) => is.includes(each));
  return FOLDER_NAMES.find((name) => name === state) ?? 'all';
}

/** Returns the line about another folder, the rest as it was. */
export function inFolder(line: string, folder: FolderName) {
  const part = FOLDERS[folder];
  const isFolder = (value: string) => FOLDER_NAMES.some((name) => name === value);
  return withParts(line, 'is', part === '' ? [] : [part], isFolder);
}

/** Returns the line about one form, or about all, the rest as it was. */
export function inForm(line: string, form: NamedForm | null) {
  const parts = form === null ? [] : [filterPart('form', form.identifier)];
  return withParts(line, 'form', parts).trim();
}

/** Returns the parts of a line that say where it looks: its folder and its forms. */
export function scopeOf(line: string) {
  const { forms } = parseFilterLine(line, new Date());
  const parts = forms.map((name) => filterPart('form', name));
  return withParts(FOLDERS[folderOf(line)], 'form', parts).trim();
}

/** Returns the parts of a line that say what is looked for in its folder and forms. */
export function searchOf(line: string) {
  return inForm(inFolder(line, 'all'), null);
}

/**
 * Returns the line that looks for something in a scope. What is typed goes before the scope; where it names no folder,
 * and the scope is what is new, all are searched.
 */
export function searchIn(scope: string, typed: string) {
  const { forms, is } = parseFilterLine(typed, new Date());
  const isElsewhere = folderOf(scope) === 'new' || is.some((state) => state in FOLDERS);
  const place = isElsewhere && typed !== '' ? inFolder(scope, 'all') : scope;
  return [forms.length > 0 ? inForm(place, null) : place, typed].filter(Boolean).join(' ');
}

/** Returns the line with a part of it added, or without it when it has it. @param part such as `is:unread` */
export function toggled(line: string, part: string) {
  const [key = '', value = ''] = part.split(':');
  const isOn = hasPart(line, part);
  const isReplaced = (each: string) => key === 'from' || each === value;
  return withParts(line, key, isOn ? [] : [part], isReplaced).trim();
}

/** Tells whether a line has a part. */
export function hasPart(line: string, part: string) {
  return ` ${line} `.includes(` ${part} `);
}

/** Returns the forms that a line names. */
export function formsOf<Form extends NamedForm>(line: string, forms: readonly Form[]): Form[] {
  const names = parseFilterLine(line, new Date()).forms.map((name) => name.toLowerCase());
  return forms.filter(({ name, identifier }) => names.includes(identifier) || names.includes(name.toLowerCase()));
}

/**
 * Returns the form that a line is about alone; null for several.
 * @param hasMore whether there are more forms than these
 */
export function onlyForm<Form extends NamedForm>(line: string, forms: readonly Form[], hasMore = false): Form | null {
  const [only, ...others] = forms.length === 1 && !hasMore ? forms : formsOf(line, forms);
  return only && others.length === 0 ? only : null;
}

/** Returns the address of a part of the inbox. */
export function inboxAddress(line: string = NEW, before = '') {
  const parameters = new URLSearchParams();
  if (line !== NEW) parameters.set('q', line);
  if (before !== '') parameters.set('before', before);
  return parameters.size === 0 ? '/inbox' : `/inbox?${parameters.toString()}`;
}

/** Returns the address of all submissions of a form, without spam and the trash. */
export function inboxOf(identifier: string) {
  return inboxAddress(filterPart('form', identifier));
}

/** Returns the address of a submission, with the list that it was opened from. */
export function submissionAddress(identifier: string, id: string, line: string | null) {
  const from = line === null ? '' : `?${new URLSearchParams({ q: line }).toString()}`;
  return `/inbox/${identifier}/${id}${from}`;
}

/** Tells whether a filter means everything that is new in some forms, or in all. */
export function isWhole(line: string) {
  const folder = folderOf(line);
  return (folder === 'new' || folder === 'all') && isPlain(line);
}

/** Tells whether a filter names a folder and forms, and nothing else. */
export function isPlain(line: string) {
  return inForm(line, null) === inFolder('', folderOf(line));
}

/** Returns the path of what a visitor sent; null when the text holds no email address. */
export function visitorPath(text: string): string | null {
  const address = typedAddress(text);
  return address === null ? null : `/visitors/${encodeURIComponent(address.toLowerCase())}`;
}
