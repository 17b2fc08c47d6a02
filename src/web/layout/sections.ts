/** The pages that the menu of the person leads to. */
export const MENU = ['brand', 'spam-learning', 'audit'] as const;

/** Name of a part of the service, which is its address too. */
export type SectionName =
  | 'inbox'
  | 'forms'
  | 'clients'
  | 'people'
  | 'tokens'
  | 'status'
  | (typeof MENU)[number];
