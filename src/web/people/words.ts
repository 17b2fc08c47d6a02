/** Words of people, their roles and their invitations. */
export const peopleWords = {
  title: 'Team',
  name: 'Name',
  email: 'Email address',
  role: 'Role',
  joined: 'Joined',
  disabled: 'Suspended',
  invite: 'Invite a person',
  invitations: 'Pending invitations',
  invitedAs: 'Invited as',
  expires: 'Expires',
  rolesTitle: 'Roles and permissions',
  roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
  remove: 'Remove person',
} as const;

/** Words of the people of a client. */
export const clientPeopleWords = {
  may: 'Permissions',
  short: { see: 'view', triage: 'sort', edit: 'edit', export: 'export', erase: 'erase' },
  actions: {
    see: 'View submissions',
    triage: 'Mark submissions as done, spam or trash; resend',
    edit: 'Edit submissions',
    export: 'Export submissions',
    erase: 'Erase submissions permanently',
  },
} as const;
