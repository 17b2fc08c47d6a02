import { assetUrl } from '../assets/assets.js';
import { useFrame } from '../layout/shell.js';
import { keyWords } from './words.js';

/** Lists the keys of the inbox, which the script opens; without script there are none. */
export function Keys() {
  const { person, seenAs } = useFrame();
  return (
    <>
      <script src={assetUrl('inbox.js')} type="module" />
      <dialog
        id="keys"
        aria-labelledby="keys-title"
        data-off={person?.keysOff === true ? '' : undefined}
      >
        <h2 id="keys-title">{keyWords.title}</h2>
        <dl class="keys">
          {keyWords.list.map(([key, what]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        {seenAs === null && (
          <p>
            <a href="/account#keys">{person?.keysOff ? keyWords.switchOn : keyWords.switchOff}</a>
          </p>
        )}
        <form method="dialog">
          <button type="submit" class="button plain" autofocus>
            {keyWords.close}
          </button>
        </form>
      </dialog>
    </>
  );
}
