/** Words of saved views. */
export const viewWords = {
  views: {
    title: 'Views',
    nav: 'Views',
    mine: 'Assigned to me',
    unassigned: 'Assigned to nobody',
    manage: 'Manage views',
    save: 'Save this filter',
    saveTitle: 'Save a filter as a view',
    name: 'Name',
    line: 'Filter',
    lineHint: 'As in the inbox, such as is:unread tag:urgent. Empty: all but spam and the trash.',
    team: 'For the team',
    teamHint: 'Everybody who acts here sees it, each with their own rights.',
    ofTeam: 'The team’s',
    own: 'Yours',
    open: 'Open',
    go: 'Save',
    delete: 'Delete',
    deleteSure: (name: string) =>
      `The view “${name}” is deleted. The submissions that it shows stay as they are.`,
    deleteGo: 'Delete it',
    digest: 'Tell me by mail',
    digestHint: 'At eight by your clocks, when something new is in it.',
    every: { '': 'Never', day: 'Daily', week: 'On Mondays' },
    digestGo: 'Save',
    notVerified:
      'To be told of views by mail, show first that your address is yours, by a link that is mailed there.',
    emptyTitle: 'No views yet',
    empty: 'Save a filter that you need again: it is one click in the inbox then.',
  },
} as const;
