import { broken } from './broken.js';

/** Rights, scopes, tokens, people and their sessions. */
export default [
  ...broken('src/audit/audit.repository.ts', 'e2e people', {
    'an account reads its own log alone': [
      '.where({ accountId: accountId ?? IsNull(), ...equal })',
      '.where({ ...equal })',
    ],
  }),
  ...broken('src/auth/bearer.guard.ts', 'e2e authentication', {
    'a route refuses a token that lacks its right': 'if (right) request.user.assertHas(right);',
    'two Authorization headers are refused': [
      'if (isSentTwice(request)) throw',
      'if (isSentTwice(request) && !request) throw',
    ],
  }),
  ...broken('src/auth/bearer.guard.ts', 'e2e rate-limits', {
    'malformed credentials count as a guess': [
      'return [AuthenticationRequired, InvalidToken, MalformedCredentials].some(',
      'return [AuthenticationRequired, InvalidToken].some(',
    ],
  }),
  ...broken('src/auth/form.guard.ts', 'e2e form-rights', {
    'a client changes only the forms that it made':
      '    assertMayChange(user, await this.forms.get(user, params.identifier));\n',
    'a client deletes a form only with what erases':
      '    if (action && !user.may(action)) throw new ActionForbidden(action);\n',
  }),
  ...broken('src/auth/guarded.cookie.ts', 'e2e sign-in', {
    'no script reads the cookie of a session': ['httpOnly: true', 'httpOnly: false'],
  }),
  ...broken('src/auth/own-origin.ts', 'e2e sign-in', {
    'a page of another site changes nothing': [
      'if (!isOwn) throw',
      'if (isOwn === undefined) throw',
    ],
  }),
  ...broken('src/auth/session.guard.ts', 'e2e web-actions', {
    'a page refuses a person that lacks its right': [
      'if (right && !principal.has(right)) throw',
      'if (right === undefined && !principal) throw',
    ],
  }),
  ...broken('src/clients/clients.service.ts', 'e2e client-tokens', {
    'to a client there are no clients': [
      'if (scope.clientId !== null) return [];',
      'if (scope.clientId === 0) return [];',
    ],
    'deleting a client revokes its tokens':
      '      await this.tokens.revokeAllOf(tx, accountId, id);\n',
  }),
  ...broken('src/clients/clients.service.ts', 'e2e export-filters leaves no grant', {
    'deleting a client removes its grants':
      '      await this.forms.setGrants(tx, client, [], FORM_IDS);\n',
  }),
  ...broken('src/deliveries/deliveries.repository.ts', 'e2e isolation', {
    'a delivery belongs to its submission': [
      'this.deliveries.findOneBy({ formId, submissionId, id })',
      'this.deliveries.findOneBy({ formId, id })',
    ],
  }),
  ...broken('src/events/event-streams.ts', 'e2e events', {
    'the event streams of a client count by all its tokens': [
      'if (ofClient.length >= STREAMS_OF_CLIENT)',
      'if (ofClient.length >= STREAMS_OF_ACCOUNT)',
    ],
  }),
  ...broken('src/exports/exports.controller.ts', 'e2e route-rights', {
    'the CSV export asks for a right': [
      "  @Requires('submissions:read')\n  @Sends('text/csv')",
      "  @Sends('text/csv')",
    ],
    'the NDJSON export asks for a right': [
      "  @Requires('submissions:read')\n  @Sends('application/x-ndjson')",
      "  @Sends('application/x-ndjson')",
    ],
    'the XLSX export asks for a right': [
      "  @Requires('submissions:read')\n  @Sends(EXPORT_TYPES.xlsx",
      '  @Sends(EXPORT_TYPES.xlsx',
    ],
  }),
  ...broken('src/files/files.repository.ts', 'e2e isolation', {
    'a file belongs to its submission': [
      'this.files.findOneBy({ formId, submissionId, id })',
      'this.files.findOneBy({ formId, id })',
    ],
  }),
  ...broken('src/fleet/fleet-change.ts', 'e2e fleet', {
    'a client changes many forms only among those that it made':
      'if (!mayChange(principal, form)) return new FormNotOwn();',
  }),
  ...broken('src/fleet/fleet-changes.service.ts', 'e2e fleet', {
    'forms are granted together only with the right to change clients':
      "      principal.assertHas('clients:write');\n",
  }),
  ...broken('src/fleet/fleet.service.ts', 'e2e fleet', {
    'what submissions say of the fleet is for who may see them': [
      "principal.may('see') ? this.receivedBy(principal, forms) : null",
      'this.receivedBy(principal, forms)',
    ],
  }),
  ...broken('src/forms/access/visible-forms.ts', 'e2e client-tokens', {
    'a client sees the forms that are granted to it': [
      'if (clientId === null) {',
      'if (clientId !== undefined) {',
    ],
  }),
  ...broken('src/forms/access/visible-forms.ts', 'e2e forms', {
    'a form belongs to its account': [
      "'form.account_id = ? AND form.deleted_at IS NULL'",
      "'(form.account_id = ? OR 1 = 1) AND form.deleted_at IS NULL'",
    ],
    'a deleted form is not found': [
      "'form.account_id = ? AND form.deleted_at IS NULL'",
      "'form.account_id = ?'",
    ],
  }),
  ...broken('src/forms/form-reads.ts', 'e2e forms', {
    'forms that are read together are read under the scope of each caller': [
      'this.views.load(`${keyOf(scope)}/${identifier}`)',
      'this.views.load(`${scope.accountId}/${identifier}`)',
    ],
  }),
  ...broken('src/forms/forms.controller.ts', 'e2e route-rights', {
    'deleting a form asks for the right to write': [
      "  @Delete(':identifier')\n  @Requires('forms:write')",
      "  @Delete(':identifier')\n  @Requires('forms:read')",
    ],
  }),
  ...broken('src/forms/forms.service.ts', 'e2e clients', {
    'forms of others are not granted to a client': [
      'if (unknown.length > 0) throw',
      'if (unknown.length > 1000) throw',
    ],
  }),
  ...broken('src/forms/new-forms.service.ts', 'e2e client-brand', {
    'a client that is being deleted is granted no form':
      '    await this.lockClient(tx, accountId, clientId);\n',
  }),
  ...broken('src/jobs/exports/export-jobs.service.ts', 'e2e export-jobs', {
    'a link to an export dies with the rights of its reader': [
      "    if (!reader?.may('export')) throw new LinkExpired();\n",
      '    if (!reader) return this.opened(job);\n',
    ],
  }),
  ...broken('src/operations/metrics/metrics-server.ts', 'e2e metrics', {
    'METRICS_PORT asks for the right token': [
      '!hasMetricsToken(headers.authorization, metricsToken)',
      'headers.authorization === undefined',
    ],
  }),
  ...broken('src/operations/metrics/metrics.controller.ts', 'e2e metrics', {
    'metrics are read with their own token': ['hasMetricsToken(', 'Boolean('],
  }),
  ...broken('src/people/invitations/acceptances.service.ts', 'e2e people', {
    'an invitation is for its address': [
      'if (Person.keyOf(invitation.email) !== Person.keyOf(person.email)) {',
      'if (invitation.email === person.name) {',
    ],
  }),
  ...broken('src/people/invitations/acceptances.service.ts', 'e2e people-ends', {
    'an invitation ends': '|| invitation.expiresAt <= this.clock.now()',
  }),
  ...broken('src/people/invitations/invitations.service.ts', 'e2e people', {
    'an address gets only so many invitations by mail':
      '    if (isMailed) this.limits.admitInvitation(invitee.email);\n',
    'an address has one open invitation to a place':
      '    await this.withdrawFormer(issued.invitation);\n',
    'nobody invites to more than they may do': '    assertMayGive(principal, standing);\n',
    'nobody withdraws an invitation that they might not have given':
      '    assertMayGive(principal, invitation.standing);\n',
  }),
  ...broken('src/people/links/sign-in-links.repository.ts', 'e2e people', {
    'an invitation is accepted once': [
      'const { affected } = await this.links.delete({ id });',
      'const { affected } = { affected: id.length > 0 ? 1 : 0 };',
    ],
  }),
  ...broken('src/people/members/members.service.ts', 'e2e people', {
    'an account keeps an owner': ['if (!isOwned) throw', 'if (isOwned === undefined) throw'],
    'nobody takes more than they may give':
      '      assertMayGive(principal, standingOf(membership));\n',
  }),
  ...broken('src/people/members/members.service.ts', 'e2e people-ends', {
    'nobody changes their own role':
      "    if (actor.kind === 'person' && actor.id === personId) throw new OwnRole();\n",
  }),
  ...broken('src/people/profile/profile.service.ts', 'e2e sign-in-limits', {
    'the current password is not guessed without a limit':
      '    this.limits.admitSignIn(address, Person.keyOf(person.email), true);\n',
  }),
  ...broken('src/people/setup/setup-codes.repository.ts', 'e2e people The setup code', {
    'a setup code is good once': [
      'const { affected } = await this.codes.delete({ id: ONLY_ID, digest });\n    return affected === 1;',
      'return digest.length > 0;',
    ],
  }),
  ...broken('src/people/setup/setup.service.ts', 'e2e people-ends', {
    'a setup code that was asked for ends':
      '|| (code.expiresAt !== null && code.expiresAt <= this.clock.now())',
  }),
  ...broken('src/people/sign-in-methods/first-proofs.service.ts', 'e2e first-proofs', {
    'the first proof of an address ends what signed in before':
      '      await this.endWays(tx, person, but);\n',
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e sign-in', {
    'a disabled person does not sign in': [
      'if (!person || !fits || person.isDisabled) {',
      'if (!person || !fits) {',
    ],
    'a wrong password signs nobody in': [
      'if (!person || !fits || person.isDisabled) {',
      'if (!person || person.isDisabled) {',
    ],
  }),
  ...broken('src/platform/kernel/read-cache.ts', 'unit read-cache', {
    'a token is remembered for a second': [
      'if (copy.until > now) return copy;',
      'if (copy.until > 0) return copy;',
    ],
  }),
  ...broken('src/platform/rate-limits/rate-limits.ts', 'e2e sign-in-limits', {
    'tries to sign in are counted': "    this.admit('sign-in', `${network} ${person}`);\n",
    'a person is not guessed at from everywhere':
      "    if (!isKnown) this.admit('sign-in-person', person);\n",
  }),
  ...broken('src/reports/reports.service.ts', 'e2e reports', {
    'a client reads its own report alone':
      'if (clientId !== null && clientId !== id) throw new ClientNotFound();',
  }),
  ...broken('src/search/values/values.controller.ts', 'e2e route-rights', {
    'erasing asks for the right to write': [
      "  @Delete('submissions')\n  @Requires('submissions:write')",
      "  @Delete('submissions')\n  @Requires('submissions:read')",
    ],
    'erasing by POST asks for the right to write': [
      "  @HttpCode(200)\n  @Requires('submissions:write')",
      "  @HttpCode(200)\n  @Requires('submissions:read')",
    ],
  }),
  ...broken('src/sessions/session.entity.ts', 'e2e people-ends', {
    'a session that is not used ends': ' || now.getTime() - this.lastSeenAt.getTime() >= idleMs',
    'a session ends whatever happens': ['return this.expiresAt <= now || ', 'return '],
  }),
  ...broken('src/submissions/rows/submissions.repository.ts', 'e2e isolation', {
    'a submission belongs to its form': [
      'selectEntities(this.source, Submission, { formId, id })',
      'selectEntities(this.source, Submission, { id })',
    ],
  }),
  ...broken('src/submissions/submissions.controller.ts', 'e2e route-rights', {
    'a file by its address asks for the right to read': [
      "  @UuidInPath('fileId')\n  @Requires('submissions:read')",
      "  @UuidInPath('fileId')",
    ],
  }),
  ...broken('src/tokens/token.entity.ts', 'e2e form-rights', {
    'a token of a client learns the secret of a webhook by a named right alone': [
      'clientId === null ? RIGHTS : RIGHTS_OF_CLIENTS',
      'RIGHTS',
    ],
  }),
  ...broken('src/tokens/token.entity.ts', 'e2e tokens', {
    'a token issues no right that it lacks': [
      'if (lacking.length > 0 || wantsLaterOnes)',
      'if (wantsLaterOnes)',
    ],
    'a token with a list of rights issues none with all': [
      'if (lacking.length > 0 || wantsLaterOnes)',
      'if (lacking.length > 0)',
    ],
    'a token issues none that outlives it': [
      'if (this.expiresAt !== null && (',
      'if (this.expiresAt === undefined && (',
    ],
    'the secret of a token is kept as a digest': [
      'digest: hashSecret(secret),',
      'digest: Buffer.alloc(32, secret),',
    ],
  }),
  ...broken('src/tokens/tokens.controller.ts', 'e2e route-rights', {
    'listing tokens asks for the right to write them': [
      "  @Get()\n  @Requires('tokens:write')",
      '  @Get()',
    ],
  }),
  ...broken('src/tokens/tokens.service.ts', 'e2e client-tokens', {
    'a client has only so many tokens':
      '    await this.assertFew(tx, accountId, terms.clientId, now);\n',
  }),
  ...broken('src/tokens/tokens.service.ts', 'e2e tokens', {
    'an expired token is not recognised': ['if (!token || token.isExpired(now))', 'if (!token)'],
  }),
];
