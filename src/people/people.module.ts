import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ClientPeopleController } from './client-people.controller.js';
import { FactorsService } from './factors.service.js';
import { SecondStepService } from './second-step.service.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';
import { PeopleController } from './people.controller.js';
import { PlacesService } from './places.service.js';
import { PostService } from './post.service.js';
import { SignInLinksRepository } from './sign-in-links.repository.js';
import { MailModule } from '../mail/mail.module.js';
import { MembersService } from './members.service.js';
import { Membership } from './membership.entity.js';
import { MembershipsRepository } from './memberships.repository.js';
import { Passwords } from './passwords.js';
import { PeopleRepository } from './people.repository.js';
import { PeopleService } from './people.service.js';
import { Person } from './person.entity.js';
import { SetupCode } from './setup-code.entity.js';
import { SetupCodesRepository } from './setup-codes.repository.js';
import { SetupService } from './setup.service.js';
import { SignInLink } from './sign-in-link.entity.js';
import { SignInService } from './sign-in.service.js';

const ENTITIES = [Person, Membership, SetupCode, SignInLink, RecoveryCode];
const SERVICES = [
  PeopleService,
  MembersService,
  SetupService,
  SignInService,
  FactorsService,
  SecondStepService,
  InvitationsService,
  PlacesService,
];

@Module({
  imports: [
    TypeOrmModule.forFeature(ENTITIES),
    AccountsModule,
    AuditModule,
    ClientsModule,
    RateLimitsModule,
    MailModule,
    SessionsModule,
  ],
  controllers: [PeopleController, ClientPeopleController, InvitationsController],
  providers: [
    ...SERVICES,
    Passwords,
    PeopleRepository,
    MembershipsRepository,
    SetupCodesRepository,
    SignInLinksRepository,
    RecoveryCodesRepository,
    PostService,
  ],
  exports: SERVICES,
})
export class PeopleModule {}
