import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { OidcModule } from '../platform/oidc/oidc.module.js';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';
import { SignedLinksModule } from '../platform/signed-links/signed-links.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ClientPeopleController } from './client-people.controller.js';
import { WaysIn } from './ways-in.js';
import { FirstProofs } from './first-proofs.service.js';
import { FirstWays } from './first-ways.js';
import { FactorsService } from './factors.service.js';
import { SecondStepService } from './second-step.service.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';
import { InvitationsController } from './invitations.controller.js';
import { AcceptancesService } from './acceptances.service.js';
import { InvitationsService } from './invitations.service.js';
import { EmailChangeService } from './email-change.service.js';
import { CeremoniesService } from './ceremonies.service.js';
import { Passkey } from './passkey.entity.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';
import { PasskeysService } from './passkeys.service.js';
import { ProofsService } from './proofs.service.js';
import { UsedChallenge } from './used-challenge.entity.js';
import { PeopleController } from './people.controller.js';
import { ProfileService } from './profile.service.js';
import { PeopleMailService } from './people-mail.service.js';
import { IdentitiesController } from './identities.controller.js';
import { IdentitiesRepository } from './identities.repository.js';
import { IdentitiesService } from './identities.service.js';
import { Identity } from './identity.entity.js';
import { VerifiedInvitationsService } from './verified-invitations.service.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { LinkSignInService } from './link-sign-in.service.js';
import { SignInLinksRepository } from './sign-in-links.repository.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { TestMailsService } from './test-mails.service.js';
import { ColleaguesService } from './colleagues.service.js';
import { MailModule } from '../mail/mail.module.js';
import { MembersService } from './members.service.js';
import { Membership } from './membership.entity.js';
import { MembershipsRepository } from './memberships.repository.js';
import { Passwords } from './passwords.js';
import { PeopleRepository } from './people.repository.js';
import { PeopleService } from './people.service.js';
import { ViewsService } from './views.service.js';
import { Person } from './person.entity.js';
import { SetupCode } from './setup-code.entity.js';
import { SetupCodesRepository } from './setup-codes.repository.js';
import { SetupService } from './setup.service.js';
import { SignInLink } from './sign-in-link.entity.js';
import { SignInService } from './sign-in.service.js';
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
];

@Module({
  imports: [
    TypeOrmModule.forFeature(ENTITIES),
    AccountsModule,
    AuditModule,
    ClientsModule,
    RateLimitsModule,
    SignedLinksModule,
    OidcModule,
    MailModule,
    DeliveriesModule,
    FormsModule,
    TriageModule,
    SessionsModule,
  ],
  controllers: [
    PeopleController,
    ClientPeopleController,
    InvitationsController,
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
  ],
  exports: SERVICES,
})
export class PeopleModule {}
