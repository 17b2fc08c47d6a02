import { Room } from '../platform/room.js';
import { ColleaguesService } from './members/colleagues.service.js';
import { HostAdmission, SignInTries, SignInService } from './sign-in/sign-in.service.js';
import { OwnChanges } from './sign-in/own-changes.service.js';
import { SenderTests, OperatorPost } from './members/operator-post.service.js';
import {
  SenderTestsController,
  PeopleController,
  IdentitiesController,
  ClientPeopleController,
  InvitationsController,
} from './people.controller.js';
import { IdentitiesService } from './credentials/identities.service.js';
import { WaysIn } from './credentials/ways-in.js';
import { PasskeysService } from './credentials/passkeys.service.js';
import {
  FirstProofs,
  SecondStepService,
  ProofsService,
  VerifiedInvitationsService,
} from './sign-in-methods/proofs.service.js';
import { PasskeySignInService } from './sign-in-methods/passkey-sign-in.service.js';
import { FirstWays } from './sign-in-methods/first-ways.js';
import { CeremoniesService } from './credentials/ceremonies.service.js';
import { FactorsService } from './credentials/factors.service.js';
import {
  RecoveryCodesRepository,
  PasskeysRepository,
  IdentitiesRepository,
} from './credentials/credentials.repository.js';
import { AcceptancesService, InvitationsService } from './invitations/invitations.service.js';
import { EmailChangeService, ProfileService, TestMailsService } from './profile/profile.service.js';
import { PeopleMailService } from './links/people-mail.service.js';
import { LinkSignInService } from './sign-in-methods/link-sign-in.service.js';
import { OidcSignInService } from './sign-in-methods/oidc-sign-in.service.js';
import { SignInLinksRepository } from './links/sign-in-links.repository.js';
import { PersonAudit, MembersService, PeopleService } from './members/members.service.js';
import { MembershipsRepository } from './members/memberships.repository.js';
import { PeopleRepository } from './person/people.repository.js';
import { Passwords } from './person/passwords.js';
import { ViewsService } from './sign-in/views.service.js';
import { SetupCodesRepository } from './setup/setup-codes.repository.js';
import { SetupService } from './setup/setup.service.js';

@Room({
  controllers: [
    PeopleController,
    ClientPeopleController,
    InvitationsController,
    SenderTestsController,
    IdentitiesController,
  ],
  providers: [
    PeopleService,
    MembersService,
    ColleaguesService,
    SetupService,
    SignInService,
    HostAdmission,
    ViewsService,
    FactorsService,
    SecondStepService,
    PasskeysService,
    PasskeySignInService,
    ProofsService,
    EmailChangeService,
    InvitationsService,
    AcceptancesService,
    ProfileService,
    LinkSignInService,
    IdentitiesService,
    OidcSignInService,
    TestMailsService,
    SenderTests,
    OperatorPost,
    Passwords,
    PeopleRepository,
    MembershipsRepository,
    SetupCodesRepository,
    SignInLinksRepository,
    RecoveryCodesRepository,
    PasskeysRepository,
    IdentitiesRepository,
    VerifiedInvitationsService,
    CeremoniesService,
    FirstWays,
    FirstProofs,
    WaysIn,
    PeopleMailService,
    PersonAudit,
    SignInTries,
    OwnChanges,
  ],
})
export class PeopleModule {}
