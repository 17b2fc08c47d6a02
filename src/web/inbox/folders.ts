/** What of the inbox is shown. */
export interface InboxQuery {
  folder: FolderName;
  /** Identifier of the only form that is shown; '' for all. */
  form: string;
  /** What is searched for, within one form; '' for nothing. */
  query: string;
}

/** The marks of what each folder shows; what is in the trash may be spam or not. */
export const FOLDERS = {
  inbox: { spam: false, trash: false },
  spam: { spam: true, trash: false },
  trash: { spam: null, trash: true },
} as const;

/** Name of a folder in addresses. */
export type FolderName = keyof typeof FOLDERS;

/** All folders in the order in which they are shown. */
export const FOLDER_NAMES = Object.keys(FOLDERS) as FolderName[];

/** Returns the folder of this name; the inbox when there is none such. */
export function folderOf(name: string): FolderName {
  return FOLDER_NAMES.find((each) => each === name) ?? 'inbox';
}

/** Returns the address of a part of the inbox, without what is not said. */
export function inboxAddress(query: Partial<InboxQuery> & { before?: string }): string {
  const { folder = 'inbox', form = '', query: text = '', before = '' } = query;
  const said = { folder: folder === 'inbox' ? '' : folder, form, query: text, before };
  const parameters = new URLSearchParams(Object.entries(said).filter(([, value]) => value !== ''));
  return parameters.size === 0 ? '/inbox' : `/inbox?${parameters.toString()}`;
}
