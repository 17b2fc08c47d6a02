import { assetUrl } from '../assets/assets.js';

/** Name of an outline in `assets/icons.svg`. */
export type IconName =
  | 'inbox'
  | 'clipboard-list'
  | 'users'
  | 'key-round'
  | 'activity'
  | 'circle-check'
  | 'triangle-alert'
  | 'circle-x'
  | 'copy'
  | 'check'
  | 'plus'
  | 'trash-2'
  | 'send'
  | 'external-link'
  | 'paperclip'
  | 'clock'
  | 'chevron-left'
  | 'chevron-right'
  | 'log-out'
  | 'settings'
  | 'mail'
  | 'mail-check'
  | 'reply'
  | 'circle-dot'
  | 'webhook'
  | 'refresh-cw'
  | 'copy-plus'
  | 'shield-alert'
  | 'globe'
  | 'user'
  | 'rotate-ccw'
  | 'download'
  | 'contact-round'
  | 'history'
  | 'eye'
  | 'user-plus'
  | 'palette'
  | 'star'
  | 'chart-column'
  | 'search'
  | 'ellipsis'
  | 'pencil'
  | 'chevron-down'
  | 'x';

/** Draws an outline beside words that say the same, so screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" aria-hidden="true" focusable="false">
      <use href={`${assetUrl('icons.svg')}#${name}`} />
    </svg>
  );
}
