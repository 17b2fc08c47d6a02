import { PatternMatcher } from '../../forms/model/field-pattern.js';
import { FieldRules } from '../../forms/model/field-rules.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { JsonMember } from '../../platform/kernel/text/json-text.js';
import type { Verdict } from '../../spam/evidence/verdict.js';
import type { SpamSettings } from '../../spam/judge/spam-settings.js';
import { FieldsRefused } from '../model/submission.errors.js';
import { SubmittedValues } from '../model/submitted-values.js';
import { shortReason } from '../verdicts/short-reason.js';

/** The fields and files of a submission. */
interface Sent {
  members: readonly JsonMember[];
  files: readonly { field: string; name: string }[];
}

/** JSON of a value in which nothing was filled in. */
const NOTHING = /^(?:null|"(?:\s|\\[nrt])*")$/;

/** Results of the rules of a form, and what can still be matched with patterns. */
export interface Checked {
  problems: readonly FieldProblem[];
  matcher: PatternMatcher;
  /** Whether it has fields with nothing in any, and no file. */
  isBlank: boolean;
}

/**
 * Checks a submission by the rules of its form, before it is judged: the answer tells a bot the rules, and nothing
 * about its honeypots or its verdict.
 * @returns the problems for which it is to be held
 * @throws FieldsRefused if the form refuses what breaks its rules
 */
export function checkFields(form: Readonly<Form>, { members, files }: Sent): Checked {
  const matcher = new PatternMatcher();
  const rules = FieldRules.decode(form.fieldRules);
  const isBlank =
    files.length === 0 && members.length > 0 && members.every(({ json }) => NOTHING.test(json));
  if (rules.isEmpty) return { problems: [], matcher, isBlank };
  const values = new SubmittedValues(members);
  const problems = rules.problemsOf(values.items(), files, matcher);
  if (problems.length > 0 && !rules.holds) {
    throw new FieldsRefused(problems, form, { values: values.toText(), files });
  }
  return { problems, matcher, isBlank };
}

/** Returns a verdict that holds a submission for these results too; the same verdict if all is well. */
export function heldFor(
  { problems, matcher, isBlank }: Checked,
  verdict: Verdict,
  settings: SpamSettings,
): Verdict {
  if (isBlank) verdict = verdict.blank(settings);
  const fields = problems.map(({ field }) => `“${field}”`).join(', ');
  const reasons = [
    ...(fields === '' ? [] : [`These fields break the rules of the form: ${fields}.`]),
    ...(matcher.isCut ? [NOT_MATCHED] : []),
  ];
  if (reasons.length === 0) return verdict;
  return verdict.breaking(shortReason(reasons.join(' ')), settings);
}

const NOT_MATCHED =
  'Its values are too long for the patterns of the form, so not all of them were compared.';
