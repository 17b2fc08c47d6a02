import { ActionForm, Actions, Button, Select } from '../layout/controls.js';
import { words } from '../words.js';

const { me } = words;

/**
 * Draws the choice of the time zone.
 * @param ofBrowser the zone of the browser, which is offered by itself where it is another
 */
export function ZoneChoice({ zone, ofBrowser }: { zone: string; ofBrowser: string | null }) {
  const known = [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].sort();
  const options = known.map((name) => ({ value: name, label: name }));
  return (
    <section id="zone">
      <h2>{me.zone}</h2>
      {ofBrowser !== null && ofBrowser !== zone && (
        <ActionForm action="/account/time-zone">
          <Button kind="plain" name="time_zone" value={ofBrowser}>
            {me.useBrowserZone(ofBrowser)}
          </Button>
        </ActionForm>
      )}
      <ActionForm action="/account/time-zone">
        <Select name="time_zone" label={me.zoneLabel} value={zone} options={options} />
        <Actions>
          <Button kind="plain">{me.useZone}</Button>
        </Actions>
      </ActionForm>
    </section>
  );
}
