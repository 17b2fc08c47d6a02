import { parseColour, readableColour } from '../../platform/index.js';

/** Stands in addresses where other files have their release. */
export const ACCENT = 'accent';
const NAME = /^([0-9a-f]{6})-([0-9a-f]{6})\.css$/;

/** Returns the address of the style sheet that gives pages the colour of an account; null without one. */
export function accentUrl(colour: string | null): string | null {
  if (colour === null || parseColour(colour) === null) return null;
  const [light, dark] = [readableColour(colour, 'light'), readableColour(colour, 'dark')];
  return `/assets/${ACCENT}/${light.slice(1)}-${dark.slice(1)}.css`;
}

/**
 * Returns the style sheet of this name, which says all that is in it; null for another name. Policies of
 * pages forbid styles in the pages themselves.
 */
export function accentStyle(name: string): string | null {
  const [, light, dark] = NAME.exec(name) ?? [];
  if (light === undefined || dark === undefined) return null;
  return `:root {
  --accent: light-dark(#${light}, #${dark});
  --on-accent: light-dark(#fff, #0b1114);
  --wash: light-dark(color-mix(in oklch, #${light} 9%, #fff), color-mix(in oklch, #${dark} 16%, #14191c));
}
`;
}
