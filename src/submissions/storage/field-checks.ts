import { FieldRules } from '../../forms/model/field-rules.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { JsonMember } from '../../platform/kernel/text/json-text.js';
import type { Verdict } from '../../spam/evidence/verdict.js';
import type { SpamSettings } from '../../spam/judge/spam-settings.js';
import { FieldsRefused } from '../model/fields-refused.error.js';
import { SubmittedValues } from '../model/submitted-values.js';
import { shortReason } from '../verdicts/short-reason.js';

/** The fields and files of a submission. */
interface Sent {
  members: readonly JsonMember[];
  files: readonly { field: string; name: string }[];
}

/**
 * Checks a submission by the rules of its form, before it is judged: the answer tells a bot the rules, and nothing
 * about its honeypots or its verdict.
 * @returns the problems for which it is to be held
 * @throws FieldsRefused if the form refuses what breaks its rules
 */
export function checkFields(form: Readonly<Form>, { members, files }: Sent): FieldProblem[] {
  const rules = FieldRules.decode(form.fieldRules);
  if (rules.isEmpty) return [];
  const values = new SubmittedValues(members);
  const problems = rules.problemsOf(values.items(), files);
  if (problems.length > 0 && !rules.holds) {
    throw new FieldsRefused(problems, form, { values: values.toText(), files });
  }
  return problems;
}

/** Returns a verdict that holds a submission for these problems too; the same verdict if there are none. */
export function heldFor(
  problems: readonly FieldProblem[],
  verdict: Verdict,
  settings: SpamSettings,
): Verdict {
  if (problems.length === 0) return verdict;
  const fields = problems.map(({ field }) => `“${field}”`).join(', ');
  const reason = `These fields break the rules of the form: ${fields}.`;
  return verdict.breaking(shortReason(reason), settings);
}
