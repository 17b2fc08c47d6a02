import { fieldsOnPage } from '../forms/model/form-snippet.js';
import { FieldsDto } from '../forms/dto/fields.dto.js';
import { sampleValues } from '../forms/model/sample-values.js';
import type { Right } from '../accounts/access/index.js';
import type { Schema } from '../docs/api-document.js';

/** Most rows that one answer holds. */
const ROWS_MAX = 20;

/** Arguments of a call, as its schema lets them through. */
export type Arguments = Record<string, unknown>;

/** Calls an operation of the API with values for its places, such as `path.identifier`. @throws ProblemAnswered */
export type Call = (operation: string, values: Arguments) => Promise<unknown>;

/** A tool: what an agent reads of it, and the operation of the API whose right, rules, limits and audit it has. */
export interface Tool {
  title: string;
  description: string;
  operation: string;
  /** Places of the operation by the name of the argument that goes there. */
  takes: Readonly<Record<string, string>>;
  required?: readonly string[];
  /** Values of places, unless an argument sets them. */
  fixed?: Arguments;
  /** Right that it needs in place of that of the operation. */
  right?: Right;
  /** Keywords for the schemas of its arguments, and whole schemas of arguments that no place takes. */
  schemas?: Readonly<Record<string, Schema>>;
  /** Whether it reaches others than this service. */
  isOpen?: boolean;
  /** Answers in place of the operation alone. */
  run?: (call: Call, args: Arguments) => Promise<unknown>;
}

const FORM = 'path.identifier';
const ROWS = { minimum: 1, maximum: ROWS_MAX, default: ROWS_MAX, description: `Rows, 1 to ${ROWS_MAX}.` };
const FIELDS = 'GET /api/v1/forms/{identifier}/fields';

/** All tools in the order in which agents see them. None deletes, erases or makes a token: that is for people. */
export const TOOLS = {
  list_forms: {
    title: 'List forms',
    description: 'List the forms with their identifiers, how many submissions they have, and what is wrong with them.',
    operation: 'GET /api/v1/fleet',
    takes: { name: 'query.q', with_problems: 'query.problems', page: 'query.page', rows: 'query.per_page' },
    fixed: { 'query.per_page': ROWS_MAX },
    schemas: {
      rows: ROWS,
      with_problems: { type: 'boolean', enum: [true, false], description: 'True for forms with warnings alone.' },
      page: { description: 'Number of the page, from 1. A page with fewer rows than asked for is the last.' },
    },
  },
  get_form: {
    title: 'View a form',
    description: 'View a form with its settings and its fields.',
    operation: 'GET /api/v1/forms/{identifier}',
    takes: { form: FORM },
    run: async (call, { form }) => ({
      form: await call('GET /api/v1/forms/{identifier}', { [FORM]: form }),
      ...((await call(FIELDS, { [FORM]: form })) as object),
    }),
  },
  ensure_form: {
    title: 'Ensure that a form is there',
    description:
      'Create a form of this name with these fields, or return the one of exactly this name that is there, unchanged: `created` says which. Call it as often as you like: there is one form. Then put get_embed_snippet into the page and call prove_form.',
    operation: 'PUT /api/v1/forms',
    takes: { name: 'body.form.name', fields: 'body.fields' },
    required: ['name'],
  },
  update_form: {
    title: 'Change settings of a form',
    description:
      'Change the settings that are given, such as its name, redirect_url or whitelisted_domains; others stay. Where submissions go, and placeholders in emails, need the right submissions:read.',
    operation: 'PATCH /api/v1/forms/{identifier}',
    takes: { form: FORM, settings: 'body.form' },
    required: ['settings'],
  },
  set_fields: {
    title: 'Set the fields of a form',
    description:
      'Replace the fields of a form. They make its snippet, its page and its rules; get_form shows those it has.',
    operation: 'PUT /api/v1/forms/{identifier}/fields',
    takes: { form: FORM, fields: 'body.fields', on_failure: 'body.on_failure' },
    required: ['fields'],
  },
  get_embed_snippet: {
    title: 'Get the code for a page',
    description: 'Get the code that puts a form into a page. It holds no token, and must not.',
    operation: 'GET /api/v1/forms/{identifier}/snippets',
    takes: { form: FORM, flavour: 'query.flavour' },
    required: ['flavour'],
    schemas: { flavour: { description: 'Language or framework of the code.' } },
  },
  send_test_submission: {
    title: 'Send a test submission',
    description:
      'Submit a form as a visitor would, with values of your own or invented ones. It is stored, and emails and webhooks go out. To check without telling anybody, call prove_form.',
    operation: 'POST /f/{identifier}',
    takes: { form: FORM },
    right: 'forms:write',
    schemas: {
      values: {
        type: 'object',
        additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
        description: 'Texts by the name of the field; a list for several choices.',
      },
    },
    isOpen: true,
    run: async (call, { form, values }) => {
      const { list: fields } = FieldsDto.fields((await call(FIELDS, { [FORM]: form })) as FieldsDto);
      const invented = () => Object.fromEntries(sampleValues(fieldsOnPage({ fields })));
      return call('POST /f/{identifier}', { [FORM]: form, body: values ?? invented() });
    },
  },
  prove_form: {
    title: 'Prove that a form works',
    description:
      'Fetch the page, find the form in it, send a test submission that nobody is told of, and follow it to the database and the mail server. Each step says how it ended and how to fix it. The weekly check looks at this page from then on. Takes up to a minute.',
    operation: 'POST /api/v1/forms/{identifier}/canary/run',
    takes: { form: FORM, page: 'body.page' },
    schemas: {
      page: {
        description:
          'Public address of the page that has the form. Leave it out for the page of last time; null for the page that most recent submissions came from.',
      },
    },
    isOpen: true,
  },
  check_form: {
    title: 'Check a form',
    description: 'List what is wrong with a form, such as that nobody gets an email, each with its fix. Sends nothing.',
    operation: 'GET /api/v1/forms/{identifier}/warnings',
    takes: { form: FORM },
  },
  list_submissions: {
    title: 'List submissions of a form',
    description: 'List the submissions of a form, newest first. To go on, pass the id of the last one as before.',
    operation: 'GET /api/v1/forms/{identifier}/submissions',
    takes: { form: FORM, search: 'query.q', before: 'query.before', rows: 'query.per_page' },
    fixed: { 'query.per_page': ROWS_MAX },
    schemas: { rows: ROWS },
  },
  get_submission: {
    title: 'View a submission',
    description: 'View a submission with all its values.',
    operation: 'GET /api/v1/forms/{identifier}/submissions/{id}',
    takes: { form: FORM, submission: 'path.id' },
  },
  search_submissions: {
    title: 'Search submissions of all forms',
    description:
      'Search all forms, newest first, with a line such as `from:7d "wedding cake"`, `email:jane@example.com`, `is:unread` or `form:contact`.',
    operation: 'GET /api/v1/submissions',
    takes: { search: 'query.q', before: 'query.before', rows: 'query.per_page' },
    required: ['search'],
    fixed: { 'query.per_page': ROWS_MAX },
    schemas: { rows: ROWS },
  },
  mark_submissions: {
    title: 'Mark submissions',
    description:
      'Mark submissions as read, starred, answered, done or spam, or not, and add or remove a tag. With `spam` false, what was held is delivered. Submissions do not show their marks: search for `is:starred` or `tag:urgent`.',
    operation: 'POST /api/v1/submissions/bulk',
    takes: {
      ids: 'body.ids',
      ...{ read: 'body.changes.read', starred: 'body.changes.starred', answered: 'body.changes.answered' },
      ...{ done: 'body.changes.done', spam: 'body.changes.spam' },
      ...{ add_tag: 'body.changes.add_tag', remove_tag: 'body.changes.remove_tag' },
    },
    required: ['ids'],
    schemas: { ids: { maxItems: 100, description: 'Ids of at most 100 submissions.' } },
  },
  get_delivery_log: {
    title: 'View the deliveries of a submission',
    description:
      'View who got a submission by email, webhook or chat, with each attempt and what the other side answered.',
    operation: 'GET /api/v1/forms/{identifier}/submissions/{id}/deliveries',
    takes: { form: FORM, submission: 'path.id' },
  },
  retry_delivery: {
    title: 'Retry a delivery',
    description: 'Send a delivery of a submission again now, and return how that ended.',
    operation: 'POST /api/v1/forms/{identifier}/submissions/{id}/deliveries/{deliveryId}/attempts',
    takes: { form: FORM, submission: 'path.id', delivery: 'path.deliveryId' },
    isOpen: true,
  },
} satisfies Record<string, Tool>;

/** Says more of an argument that several tools take. */
export const ARGUMENTS: Readonly<Record<string, Schema>> = {
  form: { description: 'Identifier of the form: 16 hex digits, as list_forms shows it.' },
  search: {
    description:
      'Words, and filters such as `is:unread`, `is:starred`, `is:done`, `is:spam`, `is:held`, `is:failed`, `tag:urgent`, `status:won`, `from:7d`, `to:2030-01-31`, `has:file`, `email:jane@example.com` or `city:Oslo` for a field. All must match.',
  },
  before: { description: 'Only what is older than this submission: the id of the last one of the answer before.' },
  submission: { description: 'Id of the submission.' },
  delivery: { description: 'Id of the delivery, as get_delivery_log shows it.' },
};
