export { FormMails } from './messages/form-mails.js';
export { MailChannel, PersonalMails } from './mail-channel.js';
export { MailCaps, Mailer } from './mailer.js';
export { ScheduledMails } from './scheduled-mails.service.js';
export { Readers } from './mail-channel.js';
export { ClientServers } from './client-servers.js';
export { RecipientsController } from './recipients/recipients.controller.js';
export { RecipientsRepository } from './recipients/recipients.repository.js';
export { RecipientsService } from './recipients/recipients.service.js';
