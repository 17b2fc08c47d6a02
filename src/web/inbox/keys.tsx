import { assetUrl } from '../layout/assets.js';
import { words } from '../words.js';

/** Lists the keys of the inbox, which the script opens; without script there are none. */
export function Keys() {
  const { keys } = words;
  return (
    <>
      <script src={assetUrl('inbox.js')} type="module" />
      <dialog id="keys" aria-labelledby="keys-title">
        <h2 id="keys-title">{keys.title}</h2>
        <dl class="keys">
          {keys.list.map(([key, what]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <p>
            <input type="checkbox" id="keys-off" /> <label for="keys-off">{keys.off}</label>
          </p>
          <button type="submit" class="button plain">
            {keys.close}
          </button>
        </form>
      </dialog>
    </>
  );
}
