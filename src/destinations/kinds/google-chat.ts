import { finalBy } from './answers.js';
import { jsonCall, SECRET_ADDRESS, type DestinationKind } from './kind.js';
import { piecesOf } from './addresses.js';
import { escaped, fitting, summaryOf } from './summary.js';

const ANSWER_MAX = 1_000;
const ROOM = 8_000;
/** Largest message, in bytes. */
const MESSAGE_MAX = 32_000;

/** Posts a card to a space by a webhook of Google Chat. */
export const googleChat: DestinationKind = {
  settings: {
    url: SECRET_ADDRESS,
  },
  request: (full, { url = '' }, extras) =>
    fitting(MESSAGE_MAX, ROOM, (room) => {
      const { title, answers, more, page } = summaryOf(full, extras, ANSWER_MAX, room);
      const open = (link: string) => ({ onClick: { openLink: { url: link } } });
      return jsonCall(url, {
        cardsV2: [
          {
            cardId: 'submission',
            card: {
              header: { title },
              sections: [
                {
                  widgets: [
                    ...answers.map(({ label, text, href }) => ({
                      decoratedText: {
                        topLabel: label,
                        text: asHtml(text),
                        wrapText: true,
                        ...(href !== null && open(href)),
                      },
                    })),
                    ...(more === null ? [] : [{ textParagraph: { text: more } }]),
                    { buttonList: { buttons: [{ text: 'Open submission', ...open(page) }] } },
                  ],
                },
              ],
            },
          },
        ],
      });
    }),
  read: finalBy,
};

/** Writes a text as cards take it, with links at its addresses. */
function asHtml(text: string): string {
  return piecesOf(text)
    .map(({ text: part, isAddress }) =>
      isAddress ? `<a href="${escaped(part)}">${escaped(part)}</a>` : escaped(part),
    )
    .join('');
}
