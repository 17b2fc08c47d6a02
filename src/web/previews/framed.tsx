import type { ComponentChildren } from 'preact';
import { assetUrl } from '../assets/assets.js';

/** Draws a document for a frame of one of our pages. */
export function Framed({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href={assetUrl('web.css')} />
      </head>
      <body class="framed">{children}</body>
    </html>
  );
}
