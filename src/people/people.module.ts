import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountReaders } from './members/account-readers.js';
import { HostAdmission } from './sign-in/host-admission.js';
import { SenderTests } from './members/sender-tests.service.js';
import {
  SenderTestsController,
  PeopleController,
  IdentitiesController,
} from './people.controller.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ClientPeopleController } from './client-people.controller.js';
import { WaysIn } from './credentials/ways-in.js';
import { FirstProofs } from './sign-in-methods/first-proofs.service.js';
import { FirstWays } from './sign-in-methods/first-ways.js';
import { FactorsService } from './credentials/factors.service.js';
import { SecondStepService } from './sign-in-methods/second-step.service.js';
import { RecoveryCode } from './credentials/recovery-code.entity.js';
import { RecoveryCodesRepository } from './credentials/recovery-codes.repository.js';
import { InvitationsController } from './invitations.controller.js';
import { AcceptancesService } from './invitations/acceptances.service.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { EmailChangeService } from './profile/email-change.service.js';
import { CeremoniesService } from './credentials/ceremonies.service.js';
import { Passkey, UsedChallenge } from './credentials/passkey.entity.js';
import { PasskeysRepository } from './credentials/passkeys.repository.js';
import { PasskeySignInService } from './sign-in-methods/passkey-sign-in.service.js';
import { PasskeysService } from './credentials/passkeys.service.js';
import { ProofsService } from './sign-in-methods/proofs.service.js';
import { ProfileService } from './profile/profile.service.js';
import { PeopleMailService } from './links/people-mail.service.js';
import { IdentitiesRepository } from './credentials/identities.repository.js';
import { IdentitiesService } from './credentials/identities.service.js';
import { Identity } from './credentials/identity.entity.js';
import { VerifiedInvitationsService } from './sign-in-methods/verified-invitations.service.js';
import { OidcSignInService } from './sign-in-methods/oidc-sign-in.service.js';
import { LinkSignInService } from './sign-in-methods/link-sign-in.service.js';
import { SignInLinksRepository } from './links/sign-in-links.repository.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { TestMailsService } from './profile/test-mails.service.js';
import { ColleaguesService } from './members/colleagues.service.js';
import { OperatorPost } from './members/operator-post.service.js';
import { MailModule } from '../mail/mail.module.js';
import { OwnChanges } from './sign-in/own-changes.service.js';
import { PersonAudit } from './members/person-audit.service.js';
import { SignInTries } from './sign-in/sign-in-tries.service.js';
import { MembersService } from './members/members.service.js';
import { Membership } from './members/membership.entity.js';
import { MembershipsRepository } from './members/memberships.repository.js';
import { Passwords } from './person/passwords.js';
import { PeopleRepository } from './person/people.repository.js';
import { PeopleService } from './members/people.service.js';
import { ViewsService } from './sign-in/views.service.js';
import { Person } from './person/person.entity.js';
import { SetupCode } from './setup/setup-code.entity.js';
import { SetupCodesRepository } from './setup/setup-codes.repository.js';
import { ReportsModule } from '../reports/reports.module.js';
import { SetupService } from './setup/setup.service.js';
import { SignInLink } from './links/sign-in-link.entity.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { TriageModule } from '../triage/triage.module.js';

const ENTITIES = [
  Person,
  Membership,
  SetupCode,
  SignInLink,
  RecoveryCode,
  Passkey,
  UsedChallenge,
  Identity,
];
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
    TypeOrmModule.forFeature(ENTITIES),
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
    AccountReaders,
  ],
  exports: SERVICES,
})
export class PeopleModule {}
