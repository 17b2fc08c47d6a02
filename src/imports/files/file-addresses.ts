import { fileNameOf } from '../../files/file-name.js';
import { decodedPart } from '../../platform/kernel/text/url-part.js';
import { textMember, type JsonMember } from '../../platform/kernel/text/json-text.js';
import { parseWebUrl } from '../../platform/kernel/text/parse-url.js';

/** Text values with less than an address, and values with addresses among others, are not parsed. */
const MAYBE = /^(?:"\s*https?:|[[{].*https?:)/is;
/** Separates addresses in one text; a comma may be a part of one. */
const BETWEEN = /[\s;|]|,(?=https?:)/i;
/** A name of a file at the end of a path, and those of pages. */
const FILE_NAME = /\.[a-z0-9]{1,5}$/i;
const PAGE_NAME = /\.(?:html?|xhtml|php\d?|aspx?|jsp|cgi|com|org|net)$/i;
/** Members of the objects that Netlify and Basin write of a file. */
const OF_FILES = new Set(
  'url,public_url,filename,name,size,type,content_type,byte_size,id,key'.split(','),
);

/** A file that an export names by its address. */
export interface FileAddress {
  url: string;
  name: string;
}

/**
 * Returns the files that a value names, if it says nothing else: addresses that end with the name of a file, or what
 * Netlify and Basin write of a file, alone or in a list.
 * @param json the value as JSON text
 */
export function fileAddressesIn(json: string): FileAddress[] {
  if (!MAYBE.test(json)) return [];
  const value: unknown = JSON.parse(json);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const found = items.map(ofItem);
  return found.every((some) => some.length > 0) ? found.flat() : [];
}

/** Returns a member with those of its addresses that stay; null when none does. */
export function withAddresses(
  member: JsonMember,
  all: readonly FileAddress[],
  left: readonly FileAddress[],
): JsonMember | null {
  if (left.length === 0) return null;
  return left.length === all.length
    ? member
    : textMember(member.name, left.map(({ url }) => url).join('\n'));
}

function ofItem(item: unknown): FileAddress[] {
  if (typeof item === 'string') return ofText(item);
  if (typeof item !== 'object' || item === null) return [];
  // With other members it says more than where a file is.
  if (!Object.keys(item).every((key) => OF_FILES.has(key))) return [];
  const { url, public_url: open, filename, name } = item as Record<string, unknown>;
  const address = [url, open].find((each) => typeof each === 'string');
  const parsed = address === undefined ? null : parseWebUrl(address);
  if (!parsed) return [];
  const given = [filename, name].find((each) => typeof each === 'string' && each !== '');
  const known = (given as string | undefined) ?? nameIn(parsed);
  return isFileName(known) ? [{ url: parsed.href, name: fileNameOf(known) }] : [];
}

function ofText(text: string): FileAddress[] {
  const parts = text.split(BETWEEN).filter((part) => part !== '');
  const urls = parts.map((part) => parseWebUrl(part.replace(/,$/, '')));
  const files = urls.flatMap((url) => {
    const name = url && nameIn(url);
    return name && isFileName(name) ? [{ url: url.href, name: fileNameOf(name) }] : [];
  });
  return files.length === urls.length ? files : [];
}

function isFileName(name: string): boolean {
  return FILE_NAME.test(name) && !PAGE_NAME.test(name);
}

/** Returns the last part of a path; empty for an address that ends with none. */
function nameIn({ pathname }: URL): string {
  return decodedPart(pathname.slice(pathname.lastIndexOf('/') + 1));
}
