import { isDarkColour, readableColour } from './colour.js';
import { contrast, luminance } from '../../../../test/support/contrast.js';

it.each([
  [true, ['#000', '#1d3557', '#00f8', 'navy', 'RebeccaPurple', '#c00']],
  [false, ['#fff', '#ff0', '#f1faee80', 'silver', 'Orange', '#777']],
])('A colour under text is dark: %s, of each of %j', (isDark, colours) => {
  expect(colours.map(isDarkColour)).toEqual(colours.map(() => isDark));
});

describe('A colour that text is to have', () => {
  it.each(['#fff', '#000', 'yellow', '#777', '#0a7d6b', 'red', 'navy', '#ffff0080'])(
    'is readable on light and on dark, whatever was chosen: %s',
    (chosen) => {
      expect(contrast(readableColour(chosen, 'light'), '#ffffff')).toBeGreaterThan(4.4);
      expect((luminance(readableColour(chosen, 'dark')) + 0.05) / 0.06).toBeGreaterThan(4.4);
    },
  );

  it('stays as it is where it can be read', () => {
    expect(readableColour('#0a7d6b', 'light')).toBe('#0a7d6b');
    expect(readableColour('yellow', 'dark')).toBe('#ffff00');
  });
});
