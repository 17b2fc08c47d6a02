import { html, type Html } from '../platform/kernel/html.js';

/** A name and a value in a mail; `href` makes the value a link. */
export interface Row {
  name: string;
  text: string;
  href?: string;
}

const BODY = 'margin:0;padding:0;background:#f4f4f5;color:#18181b';
const CARD =
  'max-width:600px;margin:0 auto;padding:24px;background:#ffffff;font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere;word-break:break-word';
const NAME = 'padding:12px 0 0;font-weight:600;font-size:14px;color:#52525b';
const VALUE = 'padding:2px 0 12px;border-bottom:1px solid #e4e4e7;white-space:pre-wrap';
/** Breaks long words, which would make the table wider than a phone. */
const TABLE = 'width:100%;table-layout:fixed';
const SMALL = 'font-size:13px;color:#71717a';

/** Returns rows as plain text. */
export function textRows(rows: Row[]): string {
  return rows
    .map(({ name, text, href }) => `${name}:\n${text}${href ? `\n${href}` : ''}\n`)
    .join('\n');
}

/** Returns rows one below the other, which fits a phone. */
export function htmlRows(rows: Row[]): Html {
  const cells = rows.map(
    ({ name, text, href }) => html`<tr><td style="${NAME}">${name}</td></tr>
<tr><td style="${VALUE}">${href === undefined ? text : html`<a href="${href}">${text}</a>`}</td></tr>
`,
  );
  return html`<table role="presentation" style="${TABLE}" width="100%" cellpadding="0" cellspacing="0">
${cells}</table>`;
}

/** Returns the HTML part of a mail. Styles are inline, since mail readers drop style sheets. */
export function htmlMail(title: string, content: Html, footer: Html | null = null): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
</head>
<body style="${BODY}">
<div style="${CARD}">
${content}
${footer && html`<p style="${SMALL}">${footer}</p>`}
</div>
</body>
</html>
`.toString();
}

/** Returns plain text as HTML that keeps its line breaks. */
export function htmlText(text: string): Html {
  return html`<div style="white-space:pre-wrap">${text}</div>`;
}
