import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { accountWords } from './words.js';
const PATH = '/account/time-zone';
/** Field of the time zone, as the API names it. */
export const ZONE_FIELD = 'settings.time_zone';

/**
 * Draws the choice of the time zone.
 * @param props with `ofBrowser`, the zone of the browser, which is offered by itself where it is another
 */
export function ZoneChoice(props: {
  zone: string;
  ofBrowser: string | null;
  problems: FieldProblem[];
}) {
  const { zone, ofBrowser } = props;
  const problems = props.problems.filter(({ field }) => field === ZONE_FIELD);
  return (
    <section id="zone">
      <h2>{accountWords.zone}</h2>
      <ActionForm action={PATH} problems={problems}>
        <Field
          name={ZONE_FIELD}
          label={accountWords.zoneLabel}
          hint={accountWords.zoneHint}
          value={zone}
          problems={problems}
          maxlength={64}
          autocomplete="off"
          required
        />
        <Actions>
          <Button kind="plain">{accountWords.useZone}</Button>
        </Actions>
      </ActionForm>
      {ofBrowser !== null && ofBrowser !== zone && (
        <ActionForm action={PATH}>
          <Button kind="plain" name={ZONE_FIELD} value={ofBrowser}>
            {accountWords.useBrowserZone(ofBrowser)}
          </Button>
        </ActionForm>
      )}
    </section>
  );
}
