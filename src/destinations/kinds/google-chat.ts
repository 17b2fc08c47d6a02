import { finalBy } from './answers.js';
import { jsonCall, SECRET_ADDRESS, type DestinationKind } from './kind.js';
import { escaped, summaryOf } from './summary.js';

const ANSWER_MAX = 1_000;
/** A message has at most 32,000 bytes; a character can take six as JSON. */
const ROOM = 4_000;

/** Posts a card to a space by a webhook of Google Chat. */
export const googleChat: DestinationKind = {
  settings: {
    url: SECRET_ADDRESS,
  },
  request: (full, { url = '' }, extras) => {
    const { title, answers, more, page } = summaryOf(full, extras, ANSWER_MAX, ROOM);
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
                      text: escaped(text),
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
  },
  read: finalBy,
};
