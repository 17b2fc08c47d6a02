import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { FONTS, LIGHT, MONO, type Message, sendAs, type SentBy, styleSheet, headerText } from './message.js';
import { ENGLISH, type Words } from '../../languages/words.js';
import type { Mailbox } from '../../platform/index.js';

/** A name and its value. */
export interface Fact {
  label: string;
  /** Keeps its line breaks; a dash stands for an empty one. */
  text: string;
  /** Makes the text a link. */
  href?: string;
  /** A word on the text, in small letters after it, such as the size of a file. */
  note?: string;
  /** Link to the whole of a cut text. */
  more?: { label: string; href: string };
}

/** A part of a mail. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'button'; label: string; href: string }
  | { kind: 'code'; text: string }
  | { kind: 'facts'; facts: Fact[] }
  /** HTML of the owner that was checked, with its plain text. */
  | { kind: 'html'; content: ComponentChildren; text: string };

/** Longest text in characters that plain text puts on one line with its label. */
const ONE_LINE_MAX = 60;
const EMPTY = '–';

/** Makes a paragraph, which keeps its line breaks. */
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });

/** Makes the button of a mail, at most one. */
export const button = (label: string, href: string): Block => ({ kind: 'button', label, href });

/** Makes a text to be copied letter by letter: a code, a command or a setting. */
export const code = (text: string): Block => ({ kind: 'code', text });

/** Makes a table of names and values. */
export const facts = (rows: Fact[]): Block => ({ kind: 'facts', facts: rows });

/** Returns a text, or a dash for an empty one. */
const shown = (text: string): string => (text.trim() === '' ? EMPTY : text);

/** Returns a part as plain text. */
function blockText(block: Block) {
  switch (block.kind) {
    case 'paragraph':
    case 'code':
    case 'html':
      return block.text;
    case 'button':
      return `${block.label}:\n${block.href}`;
    case 'facts':
      return block.facts.map(factText).reduce(joined, '');
  }
}

function factText({ label, text, href, note, more }: Fact) {
  const gap = text.length <= ONE_LINE_MAX && !/[\r\n]/.test(text) ? ' ' : '\n';
  const remark = note === undefined ? '' : `${gap}(${note})`;
  const rest = more === undefined ? '' : `\n${more.label}: ${more.href}`;
  return `${label}:${gap}${shown(text)}${remark}${href ? `\n${href}` : ''}${rest}`;
}

/** Puts an empty line around parts of several lines. */
function joined(before: string, fact: string, index: number, all: string[]) {
  if (index === 0) return fact;
  const isApart = fact.includes('\n') || (all[index - 1]?.includes('\n') ?? false);
  return `${before}${isApart ? '\n\n' : '\n'}${fact}`;
}

/** The content of a mail, which is rendered as HTML and as plain text. */
export interface Content {
  subject: string;
  /** Heading; the subject when absent, none when null. */
  heading?: string | null;
  /** Name above the heading, such as that of an account. */
  sender?: string | null;
  /** Text that lists of mails show beside the subject. */
  preview?: string;
  blocks: Block[];
  /** Small print: why the reader gets the mail, and how to change that. */
  footer?: Block[];
  /** Words of its language; absent for English. */
  words?: Words;
}

const { ground, surface, wash, ink, soft, line, accent, onAccent } = LIGHT;
const BREAK = 'word-break:break-word;overflow-wrap:anywhere';
/** Hides text that only lists of mails show. */
const HIDDEN = 'display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;opacity:0;mso-hide:all';
const CARD = `max-width:600px;background-color:${surface};border:1px solid ${line};border-radius:12px;border-collapse:separate`;
const TEXT = `margin:0 0 16px;font:16px/24px ${FONTS};color:${ink};white-space:pre-wrap;${BREAK}`;
const WRITTEN = `margin:0 0 16px;font:16px/24px ${FONTS};color:${ink};${BREAK}`;
const SMALL = `margin:0 0 6px;font:13px/20px ${FONTS};color:${soft};white-space:pre-wrap;${BREAK}`;
const HEADING = `margin:0 0 16px;font:600 22px/30px ${FONTS};color:${ink};${BREAK}`;
const CODE = `margin:0 0 16px;padding:14px 16px;background-color:${wash};border-radius:8px;color:${ink};white-space:pre-wrap;${BREAK}`;
/** Longest code in characters that is drawn large, to be copied by hand. */
const CODE_SHORT = 16;
const DIGITS = `font:600 24px/32px ${MONO};letter-spacing:2px`;
const COMMAND = `font:14px/22px ${MONO}`;
const NAME = `padding:10px 16px 10px 0;border-top:1px solid ${line};font-size:14px;line-height:24px;color:${soft}`;
const VALUE = `padding:10px 0;border-top:1px solid ${line};font-size:16px;line-height:24px;color:${ink};white-space:pre-wrap`;

/** Renders a mail: its subject, its HTML and its plain text. */
export function writeMail(content: Content): { subject: string; html: string; text: string } {
  const { subject, heading = subject, sender = null, blocks, footer = [] } = content;
  const top = [sender, heading].filter((part) => part !== null).join('\n');
  const end = footer.map(blockText).join('\n');
  const parts = [top, ...blocks.map(blockText), end === '' ? '' : `--\n${end}`];
  return {
    subject: headerText(subject),
    html: `<!doctype html>\n${renderToString(<Mail {...content} heading={heading} />)}\n`,
    text: `${parts.filter((part) => part !== '').join('\n\n')}\n`,
  };
}

/** Returns a mail that we send because something happened, and that no person answers. */
export function notice(from: Mailbox, to: string, content: Content): Message {
  return { from, to, replyTo: null, ...writeMail(content), automatic: 'auto-generated' };
}

/** Returns the same of an account or a client, under its sender. */
export function noticeBy(by: SentBy, to: string, content: Content): Message {
  return sendAs(by, notice(by.from, to, content));
}

/** Draws the frame of all mails: a card on a ground, with small print below. */
function Mail({ subject, heading, sender, preview, blocks, footer = [], words = ENGLISH }: Content) {
  const start = words.dir === 'rtl' ? 'right' : 'left';
  return (
    <html lang={words.language} dir={words.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{styleSheet()}</style>
      </head>
      <body class="ground" style={`margin:0;padding:0;background-color:${ground}`}>
        {preview && <div style={HIDDEN}>{preview}</div>}
        <Table class="ground" style={`background-color:${ground}`}>
          <tr>
            <td class="outer" align="center" style="padding:24px 12px">
              <Table class="card surface line" style={CARD}>
                <tr>
                  <td class="inner" align={start} style="padding:32px 36px 16px">
                    {sender && (
                      <p class="soft" dir="auto" style={SMALL}>
                        {sender}
                      </p>
                    )}
                    {heading && (
                      <h1 class="ink" dir="auto" style={HEADING}>
                        {heading}
                      </h1>
                    )}
                    {blocks.map((block) => (
                      <Part block={block} />
                    ))}
                  </td>
                </tr>
              </Table>
              {footer.length > 0 && (
                <Table style="max-width:600px">
                  <tr>
                    <td class="foot" align={start} style="padding:16px 36px">
                      {footer.map((block) => (
                        <SmallPrint block={block} />
                      ))}
                    </td>
                  </tr>
                </Table>
              )}
            </td>
          </tr>
        </Table>
      </body>
    </html>
  );
}

/** Draws a table for layout; mail programs support no other way to place things. */
function Table(props: { class?: string; style: string; children: ComponentChildren }) {
  return <table role="presentation" width="100%" cellPadding="0" cellSpacing="0" {...props} />;
}

function Part({ block }: { block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p class="ink" dir="auto" style={TEXT}>
          <Lines text={block.text} />
        </p>
      );
    case 'button':
      return <Button {...block} />;
    case 'code':
      return (
        <p class="wash ink" style={`${CODE};${block.text.length > CODE_SHORT ? COMMAND : DIGITS}`}>
          <Lines text={block.text} />
        </p>
      );
    case 'html':
      return (
        <div class="ink" dir="auto" style={WRITTEN}>
          {block.content}
        </div>
      );
    case 'facts':
      return (
        <Table style={`margin:0 0 24px;table-layout:fixed;${BREAK}`}>
          {block.facts.map((fact) => (
            <FactRow {...fact} />
          ))}
        </Table>
      );
  }
}

/** Draws the button. The cell has the colour too, since Outlook gives a link no padding. */
function Button({ label, href }: { label: string; href: string }) {
  return (
    <table
      role="presentation"
      cellPadding="0"
      cellSpacing="0"

      style="margin:8px 0 24px;border-collapse:separate"
    >
      <tr>
        <td class="button" style={`background-color:${accent};border-radius:8px`}>
          <Link
            href={href}
            class="label"
            style={`display:inline-block;padding:12px 22px;font:600 16px/20px ${FONTS};color:${onAccent};text-decoration:none`}
          >
            {label}
          </Link>
        </td>
      </tr>
    </table>
  );
}

/** Draws facts, with names beside their values, or above them on a narrow screen. */
function FactRow({ label, text, href, note, more }: Fact) {
  return (
    <tr>
      <td class="name soft line" dir="auto" width="32%" valign="top" style={NAME}>
        {label}
      </td>
      <td class="value ink line" dir="auto" valign="top" style={VALUE}>
        <Link href={href} class="link" style={`color:${accent}`}>
          <Lines text={shown(text)} />
        </Link>
        {note !== undefined && (
          <span class="soft" style={`font-size:14px;color:${soft}`}>
            {' '}
            {note}
          </span>
        )}
        {more && (
          <>
            <br />
            <Link href={more.href} class="link" style={`color:${accent}`}>
              {more.label}
            </Link>
          </>
        )}
      </td>
    </tr>
  );
}

/** Draws small print: its buttons are links. */
function SmallPrint({ block }: { block: Block }) {
  if (block.kind !== 'button') {
    return (
      <p class="soft" dir="auto" style={SMALL}>
        <Lines text={blockText(block)} />
      </p>
    );
  }
  return (
    <p style={SMALL}>
      <Link href={block.href} class="soft" style={`color:${soft}`}>
        {block.label}
      </Link>
    </p>
  );
}

/** Draws a link to the web or to an address of mail; any other target, such as `javascript:`, stays text. */
function Link(props: { href?: string; class: string; style: string; children: ComponentChildren }) {
  const isSafe = /^(?:https?:\/\/|mailto:)/i.test(props.href ?? '');
  return isSafe ? <a {...props} /> : <>{props.children}</>;
}

/** Draws text with line breaks as elements, since some mail programs ignore `white-space`. */
function Lines({ text }: { text: string }) {
  const lines = text.split(/\r\n?|\n/);
  return (
    <>
      {lines.map((each, index) => (
        <>
          {index > 0 && <br />}
          {each}
        </>
      ))}
    </>
  );
}
