/** The statements of the baselines, on the tables of the service. */
export const FIND_FORM = 'SELECT id FROM forms WHERE identifier = ? AND deleted_at IS NULL';
export const ADD_TO_COUNT = 'UPDATE forms SET submission_count = submission_count + ? WHERE id = ?';
export const INSERT_SUBMISSIONS =
  'INSERT INTO submissions (id, form_id, trash, spam, created_at, payload, search_text, origin, user_agent, address) VALUES';
export const INSERT_FILES =
  'INSERT INTO files (id, form_id, submission_id, position, field, name, media_type, size, sha256) VALUES';
export const FIND_TOKEN =
  'SELECT account_id FROM tokens WHERE digest = ? AND (expires_at IS NULL OR expires_at > NOW())';
export const LIST_FORMS =
  'SELECT id, name, identifier, submission_count FROM forms WHERE account_id = ? AND deleted_at IS NULL ORDER BY id';
export const VIEW_FORM = `SELECT id, name, identifier, submission_text, webhook_url, redirect_url, notify_submitter,
  notify_submitter_from, notify_submitter_from_name, notify_submitter_subject, notify_submitter_body,
  notify_owner_on_submission, notify_owner_emails, show_submitted_values, bg_color, text_color, link_color,
  whitelisted_domains, submission_count FROM forms WHERE identifier = ? AND account_id = ? AND deleted_at IS NULL`;

const ACCOUNT_OF_TOKEN = `account_id = (${FIND_TOKEN})`;
export const LIST_FORMS_BY_TOKEN = LIST_FORMS.replace('account_id = ?', ACCOUNT_OF_TOKEN);
export const VIEW_FORM_BY_TOKEN = VIEW_FORM.replace('account_id = ?', ACCOUNT_OF_TOKEN);
