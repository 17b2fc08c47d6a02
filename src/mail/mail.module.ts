import { Room } from '../platform/room.js';
import { FormMails } from './messages/form-mails.js';
import { MailChannel, PersonalMails } from './mail-channel.js';
import { MailCaps, Mailer } from './mailer.js';
import { Readers } from './readers.js';
import { ClientServers } from './client-servers.js';

@Room({ ClientServers, FormMails, MailCaps, MailChannel, Mailer, PersonalMails, Readers })
export class MailModule {}
