import { Module } from '@nestjs/common';
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
import { AccountsModule } from '../accounts/accounts.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
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
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PersonAudit, MembersService, PeopleService } from './members/members.service.js';
import { MembershipsRepository } from './members/memberships.repository.js';
import { PeopleRepository } from './person/people.repository.js';
import { Passwords } from './person/passwords.js';
import { ViewsService } from './sign-in/views.service.js';
import { SetupCodesRepository } from './setup/setup-codes.repository.js';
import { ReportsModule } from '../reports/reports.module.js';
import { SetupService } from './setup/setup.service.js';
import { TriageModule } from '../triage/triage.module.js';
const SERVICES = [
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
];

@Module({
  imports: [
    AccountsModule,
    BrandsModule,
    ClientsModule,
    HostsModule,
    MailModule,
    DeliveriesModule,
    FormsModule,
    TriageModule,
    ReportsModule,
    SessionsModule,
  ],
  controllers: [
    PeopleController,
    ClientPeopleController,
    InvitationsController,
    SenderTestsController,
    IdentitiesController,
  ],
  providers: [
    ...SERVICES,
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
    ColleaguesService,
  ],
  exports: SERVICES,
})
export class PeopleModule {}
