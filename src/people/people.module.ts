import { APP_GUARD } from '@nestjs/core';
import { BodyGuard } from '../platform/http/index.js';
import { BearerGuard, FormGuard } from './auth/bearer.guard.js';
import { SessionGuard } from './auth/session.guard.js';
export { ColleaguesService } from './members/colleagues.service.js';
export { HostAdmission, SignInTries, SignInService } from './sign-in/sign-in.service.js';
export { OwnChanges } from './sign-in/sign-in.service.js';
export { SenderTests, OperatorPost } from './members/operator-post.service.js';
export {
  SenderTestsController,
  PeopleController,
  IdentitiesController,
  ClientPeopleController,
  InvitationsController,
} from './people.controller.js';
export { IdentitiesService } from './credentials/identities.service.js';
export { PasskeysService } from './credentials/passkeys.service.js';
export {
  FirstProofs,
  SecondStepService,
  ProofsService,
  VerifiedInvitationsService,
} from './sign-in-methods/proofs.service.js';
export { PasskeySignInService } from './sign-in-methods/passkey-sign-in.service.js';
export { FirstWays } from './sign-in-methods/first-ways.js';
export { CeremoniesService } from './credentials/ceremonies.service.js';
export { FactorsService } from './credentials/factors.service.js';
export {
  RecoveryCodesRepository,
  PasskeysRepository,
  IdentitiesRepository,
} from './credentials/credentials.repository.js';
export { AcceptancesService, InvitationsService } from './invitations/invitations.service.js';
export { EmailChangeService, PlacesService, ProfileService } from './profile/profile.service.js';
export { PeopleMailService } from './links/people-mail.service.js';
export { LinkSignInService } from './sign-in-methods/link-sign-in.service.js';
export { OidcSignInService } from './sign-in-methods/oidc-sign-in.service.js';
export { SignInLinksRepository } from './links/sign-in-links.repository.js';
export { PersonAudit, MembersService, PeopleService } from './members/members.service.js';
export { MembershipsRepository } from './members/memberships.repository.js';
export { PeopleRepository } from './person/people.repository.js';
export { Passwords } from './person/passwords.js';
export { ViewsService } from './sign-in/views.service.js';
export { SetupCodesRepository } from './setup/setup-codes.repository.js';
export { SetupService } from './setup/setup.service.js';
export { BearerStrategy } from './auth/bearer.guard.js';
export { Browsers } from './auth/browsers.cookie.js';
export {
  EmailController,
  SettingsController,
  ViewController,
  PasskeySignInController,
  PasskeysController,
} from './auth/person.controller.js';
export { Principals } from './auth/principals.js';

/** In this order: who asks, for which form, then what they send. */
export const guards = [BearerGuard, SessionGuard, FormGuard, BodyGuard].map((useClass) => ({
  provide: APP_GUARD,
  useClass,
}));
export { SavedViewsController, ViewDigestsController } from './saved-views/saved-views.controller.js';
export { SavedViewsRepository } from './saved-views/saved-views.repository.js';
export { SavedViewsService, ViewDigestMails, ViewDigestsService } from './saved-views/saved-views.service.js';
export { SessionsRepository } from './sessions/sessions.repository.js';
export { SessionsService } from './sessions/sessions.service.js';
