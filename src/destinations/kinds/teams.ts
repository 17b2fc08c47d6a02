import { finalBy, refusedIn } from './answers.js';
import { jsonCall, SECRET_ADDRESS, type DestinationKind } from './kind.js';
import { piecesOf } from './addresses.js';
import { fitting, summaryOf } from './summary.js';

const ANSWER_MAX = 1_000;
const ROOM = 8_000;
/** Largest message, in bytes. */
const MESSAGE_MAX = 28 * 1_024;

/** Posts an adaptive card to a channel or a chat by a workflow of Microsoft Teams. */
export const teams: DestinationKind = {
  settings: {
    url: SECRET_ADDRESS,
  },
  request: (full, { url = '' }, extras) =>
    fitting(MESSAGE_MAX, ROOM, (room) => {
      const { title, answers, more, page } = summaryOf(full, extras, ANSWER_MAX, room);
      const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
      const open = (url: string) => ({ selectAction: { type: 'Action.OpenUrl', url } });
      // Runs of text are shown as they are; blocks of text would be read as Markdown.
      const lines = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
      return jsonCall(url, {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [
                lines(run(title, { weight: 'Bolder', size: 'Medium' })),
                ...answers.flatMap(({ label, text, href }) => [
                  lines(run(label, { weight: 'Bolder' })),
                  lines(
                    ...(href === null
                      ? piecesOf(text).map((piece) =>
                          run(piece.text, piece.isAddress ? open(piece.text) : {}),
                        )
                      : [run(text, open(href))]),
                  ),
                ]),
                ...(more === null ? [] : [lines(run(more, { isSubtle: true }))]),
              ],
              actions: [{ type: 'Action.OpenUrl', title: 'Open submission', url: page }],
            },
          },
        ],
      });
    }),
  /** A workflow can answer 200 and say in the text that Teams refused. */
  read: (ended) => refusedIn(finalBy(ended), (body) => !/HTTP error \d{3}/.test(body)),
};
