import type { Form } from '../../forms/model/form.entity.js';
import { GROUPS, settingsSent, valuesOf, type Group } from './settings.js';

it('A page of settings sends back what it was given', () => {
  const flags = { notifySubmitter: true, notifyOwnerOnSubmission: true };
  const form = { name: 'Contact', ...flags, showSubmittedValues: false } as Form;
  const groups = Object.keys(GROUPS) as Group[];
  const sent = groups.map((group) => settingsSent(group, valuesOf(form)));
  expect(Object.assign({}, ...sent)).toMatchObject({
    name: 'Contact',
    show_submitted_values: false,
    redirect_url: null,
  });
  expect(settingsSent('general', valuesOf(form))).toEqual({ name: 'Contact' });
});
