import { statisticsWords } from './words.js';

const HEIGHT = 28;
/** Width of a bar with the gap behind it, and of the bar alone. */
const STEP = 4;
const BAR = 3;

/** Draws the submissions of each of the last days in a line of bars, the highest as high as the line. */
export function Spark({ days }: { days: readonly number[] }) {
  const most = Math.max(...days, 0);
  const sum = days.reduce((all, each) => all + each, 0);
  const width = days.length * STEP;
  const bars = days.map((count, index) => {
    if (count <= 0) return '';
    const height = Math.max(Math.round((count / most) * HEIGHT), 2);
    return `M${index * STEP} ${HEIGHT}v-${height}h${BAR}v${height}z`;
  });
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={statisticsWords.spark(sum, days.length, most)}
    >
      <path class="none" d={`M0 ${HEIGHT - 1}h${width - STEP + BAR}v1h-${width - STEP + BAR}z`} />
      {sum > 0 && <path d={bars.join('')} />}
    </svg>
  );
}
