import type { ComponentChildren } from 'preact';
import { URL_MAX_LENGTH } from '../../forms/model/http-url.js';
import { Icon } from './icon.js';
import { parseUrl } from '../../platform/kernel/text/parse-url.js';

/**
 * Draws a link to an address from outside. Only http and https become a link; anything else, such
 * as `javascript:` or a longer text, stays text.
 */
export function ExternalLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const shown = children ?? href;
  if (href.length > URL_MAX_LENGTH || !/^https?:\/\//i.test(href) || !parseUrl(href))
    return <>{shown}</>;
  return (
    <a href={href} rel="noopener noreferrer" target="_blank">
      {shown} <Icon name="external-link" />
    </a>
  );
}
