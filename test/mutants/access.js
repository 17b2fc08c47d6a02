import { broken } from './broken.js';

/** Rights, scopes, tokens, people and their sessions. */
export default [
  ...broken('src/accounts/audit/audit.repository.ts', 'e2e audit own account', {
    'an account reads its own log alone': ['accountId: accountId ?? IsNull(), ...', '...'],
  }),
  ...broken('src/people/auth/bearer.guard.ts', 'e2e route-rights', {
    'a route refuses a token that lacks its right': 'if (right) request.user.assertHas(right);',
  }),
  ...broken('src/people/auth/bearer.guard.ts', 'e2e authentication', {
    'two Authorization headers are refused': ['(request)) throw', '(request) && !request) throw'],
  }),
  ...broken('src/people/auth/bearer.guard.ts', 'e2e rate-limits', {
    'malformed credentials count as a guess': [', MalformedCredentials].some(', '].some('],
  }),
  ...broken('src/people/auth/bearer.guard.ts', 'e2e form-rights', {
    'a client changes only the forms that it made': ['assertMayChange(user, await', 'void (await'],
    'a client deletes a form only with what erases': ['action && !user.may(action)', 'false'],
  }),
  ...broken('src/people/auth/session.guard.ts', 'e2e sign-in', {
    'a page of another site changes nothing': ['(!isOwn) throw', '(isOwn === undefined) throw'],
  }),
  ...broken('src/people/auth/session.guard.ts', 'e2e web-people', {
    'a page refuses a person that lacks its right': ['right && !principal.has(right)', 'false'],
  }),
  ...broken('src/people/auth/session.guard.ts', 'e2e edits', {
    'what a person may not do is refused': ['action && !principal.may(action)', 'false'],
  }),
  ...broken('src/clients/clients.service.ts', 'e2e client-tokens', {
    'to a client there are no clients': ['scope.clientId !== null) return [', 'scope.clientId === 0) return ['],
    'deleting a client revokes its tokens': 'await this.tokens.revokeAllOf(tx, accountId, id);',
  }),
  ...broken('src/clients/clients.service.ts', 'e2e export-filters leaves no grant', {
    'deleting a client removes its grants': 'await this.forms.setGrants(tx, client, [], FORM_IDS);',
  }),
  ...broken('src/deliveries/deliveries.repository.ts', 'e2e isolation', {
    'a delivery belongs to its submission': ['({ formId, submissionId, id })', '({ formId, id })'],
  }),
  ...broken('src/web/events/event-streams.ts', 'e2e events', {
    'the event streams of a client count by all its tokens': ['>= STREAMS_OF_CLIENT', '> 1e9'],
  }),
  ...broken('src/jobs/exports/exports.controller.ts', 'e2e route-rights', {
    'exports ask for a right': ["@RoutesRequire('submissions:read')", ''],
  }),
  ...broken('src/submissions/files/files.repository.ts', 'e2e isolation', {
    'a file belongs to its submission': ['({ formId, submissionId, id })', '({ formId, id })'],
  }),
  ...broken('src/reports/fleet/fleet-change.ts', 'e2e fleet', {
    'a client changes many forms only among those that it made':
      'if (!mayChange(principal, form)) return new FormNotOwn();',
  }),
  ...broken('src/reports/fleet/fleet-changes.service.ts', 'e2e fleet', {
    'forms are granted only with the right to change clients': "principal.assertHas('clients:write');",
  }),
  ...broken('src/reports/fleet/fleet.service.ts', 'e2e fleet', {
    'what submissions say is for its readers': ['? this.receivedBy', '|| 1 ? this.receivedBy'],
  }),
  ...broken('src/forms/access/visible-forms.ts', 'e2e client-tokens', {
    'a client sees the forms that are granted to it': ['=== null) {', '!== undefined) {'],
  }),
  ...broken('src/forms/access/visible-forms.ts', 'e2e forms', {
    'a form belongs to its account': ["'form.account_id = ?", "'(form.account_id = ? OR 1 = 1)"],
    'a deleted form is not found': ['account_id = ? AND form.deleted_at IS NULL', 'account_id = ?'],
  }),
  ...broken('src/forms/form-queries.service.ts', 'e2e forms', {
    'forms read together are read under the scope of each caller': '${keyOf(scope)}/',
  }),
  ...broken('src/forms/forms.controller.ts', 'e2e route-rights', {
    'deleting a form asks for the right to write': ["'forms:read', 'forms:write'", "'forms:read'"],
  }),
  ...broken('src/forms/forms.service.ts', 'e2e clients', {
    'forms of others are not granted to a client': ['unknown.length > 0', 'unknown.length > 1000'],
  }),
  ...broken('src/forms/forms.service.ts', 'e2e client-brand', {
    'a client that is being deleted is granted no form': 'await this.hooks.ask(ClientLock, tx, accountId, clientId);',
  }),
  ...broken('src/operations/metrics/metrics.ts', 'e2e metrics', {
    'METRICS_PORT asks for the right token': ['!hasMetricsToken(', '!Boolean('],
  }),
  ...broken('src/operations/metrics/metrics.controller.ts', 'e2e metrics', {
    'metrics are read with their own token': ['hasMetricsToken(', 'Boolean('],
  }),
  ...broken('src/people/invitations/invitations.service.ts', 'e2e people', {
    'an invitation is for its address': ['!== Person.keyOf(person.email)', '=== person.name'],
  }),
  ...broken('src/people/invitations/invitations.service.ts', 'e2e people-ends', {
    'an invitation ends': '|| invitation.expiresAt <= this.unitOfWork.now()',
  }),
  ...broken('src/people/invitations/invitations.service.ts', 'e2e people', {
    'an address gets only so many invitations by mail': 'if (isMailed) this.limits.admitInvitation(invitee.email);',
    'an address has one open invitation to it': 'await this.withdrawFormer(issued.invitation);',
    'nobody invites to more than they may do': 'assertMayGive(principal, standing);',
    'nobody withdraws what they may not give': 'assertMayGive(principal, invitation.standing);',
  }),
  ...broken('src/people/links/sign-in-links.repository.ts', 'e2e people', {
    'an invitation is accepted once': ['await this.links.delete({ id })', '{ affected: 1 }'],
  }),
  ...broken('src/people/members/members.service.ts', 'e2e people', {
    'an account keeps an owner': ['if (!isOwned) throw', 'if (isOwned === undefined) throw'],
    'nobody takes more than they may give': 'assertMayGive(principal, standingOf(membership));',
  }),
  ...broken('src/people/members/members.service.ts', 'e2e people-ends', {
    'nobody changes their own role': ["actor.kind === 'person' && actor.id === personId", 'false'],
  }),
  ...broken('src/people/sign-in-methods/proofs.service.ts', 'e2e sign-in-limits', {
    'the current password is not guessed without a limit':
      "this.limits.admitSignIn('sign-in', address, Person.keyOf(email), true);",
  }),
  ...broken('src/people/setup/setup-codes.repository.ts', 'e2e people The setup code', {
    'a setup code is good once': ['return affected === 1', 'return true'],
  }),
  ...broken('src/people/setup/setup.service.ts', 'e2e people-ends', {
    'a setup code that was asked for ends': ['code.expiresAt !== null &&', 'false &&'],
  }),
  ...broken('src/people/sign-in-methods/proofs.service.ts', 'e2e first-proofs', {
    'the first proof of an address ends earlier sessions': 'await this.endWays(tx, person, but);',
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e sign-in', {
    'a disabled person does not sign in': ['|| !fits || person.isDisabled) {', '|| !fits) {'],
    'a wrong password signs nobody in': ['!fits || person.isDisabled) {', 'person.isDisabled) {'],
  }),
  ...broken('src/platform/rate-limits/rate-limits.ts', 'e2e sign-in-limits', {
    'tries to sign in are counted': 'this.admit(way, `${network} ${person}`);',
    'one is not guessed at from everywhere': 'if (!isKnown) this.admit(`${way}-person`, person);',
    'tries of one network for many people are counted': 'this.admit(`${way}-network`, network);',
  }),
  ...broken('src/reports/reports.service.ts', 'e2e reports', {
    'a client reads its own report alone': ['clientId !== null && clientId !== id', 'false'],
  }),
  ...broken('src/search/values/values.controller.ts', 'e2e route-rights', {
    'erasing asks for the right to write': [", 'submissions:write')", ')'],
  }),
  ...broken('src/people/sessions/session.entity.ts', 'e2e people-ends', {
    'a session that is not used ends': ' || now.getTime() - this.lastSeenAt.getTime() >= idleMs',
    'a session ends whatever happens': ['return this.expiresAt <= now || ', 'return '],
  }),
  ...broken('src/submissions/rows/submissions.repository.ts', 'e2e isolation', {
    'a submission belongs to its form': [', Submission, { formId, id }', ', Submission, { id }'],
  }),
  ...broken('src/submissions/submissions.controller.ts', 'e2e route-rights', {
    'a file by its address asks for the right to read': ["@RoutesRequire('submissions:read', 'submissions:write')", ''],
  }),
  ...broken('src/accounts/tokens/token.entity.ts', 'e2e form-rights', {
    'a client learns a webhook secret by a named right alone': [': RIGHTS_OF_CLIENTS', ': RIGHTS'],
  }),
  ...broken('src/accounts/tokens/token.entity.ts', 'e2e tokens', {
    'a token issues no right that it lacks': 'lacking.length > 0 || ',
    'a token with a list of rights issues none with all': ['> 0 || wantsLaterOnes', '> 0'],
    'a token issues none that outlives it': ['!== null && (', '=== undefined && ('],
    'the secret of a token is kept as a digest': ['hashSecret(secret)', 'Buffer.alloc(32, secret)'],
  }),
  ...broken('src/accounts/tokens/tokens.controller.ts', 'e2e route-rights', {
    'listing tokens asks for the right to write them': ["@RoutesRequire('tokens:write')", ''],
  }),
  ...broken('src/accounts/tokens/tokens.service.ts', 'e2e client-tokens', {
    'a client has only so many tokens': 'await this.assertFew(tx, accountId, terms.clientId, now);',
  }),
  ...broken('src/accounts/tokens/tokens.service.ts', 'e2e tokens', {
    'an expired token is not recognised': ['if (!token || token.isExpired(now))', 'if (!token)'],
  }),
];
