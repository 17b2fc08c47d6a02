import { Icon } from '../parts/index.js';
import { SECTIONS, settingsAmong } from '../layout/words.js';
import { Page, useFrame } from '../layout/shell.js';

/** Draws what can be set for the account, with a line on each. */
export function SettingsPage() {
  const { sections, hasClients } = useFrame();
  const names = settingsAmong(sections);
  return (
    <Page title={SECTIONS.settings.title} section="settings">
      <ul class="panel places">
        {(sections.includes('clients') && !hasClients ? ['clients' as const, ...names] : names).map((name) => {
          const { title, icon, hint } = { hint: '', ...SECTIONS[name] };
          return (
            <li>
              <a href={`/${name}`}>
                <Icon name={icon} />
                <span>
                  <b>{title}</b>
                  <span class="hint">{hint}</span>
                </span>
                <Icon name="chevron-right" />
              </a>
            </li>
          );
        })}
      </ul>
    </Page>
  );
}
