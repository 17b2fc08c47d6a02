/** Draws one level of several to choose from, with a line on what it means. */
export function LevelCard(props: {
  value: string;
  isChosen: boolean;
  said: { name: string; hint: string };
  /** A line on what it would have done of late. */
  would?: string;
}) {
  const { value, isChosen, said, would } = props;
  return (
    <label class="level">
      <input type="radio" name="level" value={value} checked={isChosen} />
      <b>{said.name}</b>
      <span class="hint">{said.hint}</span>
      {would !== undefined && <span class="would">{would}</span>}
    </label>
  );
}
