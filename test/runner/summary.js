const SLOWEST = 5;

/** Prints what came of a run, most important last. @returns whether all passed */
export function summarise({ files, errors, alone, skipped, seconds }) {
  const failed = files.filter((file) => file.failed > 0);
  if (failed.length > 0) console.log('\n== What failed');
  for (const { path, part, message } of failed) console.log(`\n${path} on ${part}\n${message}`);
  console.log('\nSlowest:');
  for (const file of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    console.log(`  ${file.seconds.toFixed(1)} s  ${file.path} (${file.part})`);
  for (const line of [...reasonsOf(files), ...skipped]) console.log(`Skipped: ${line}`);
  for (const name of alone) console.log(`Passed only when run alone: ${name}`);
  for (const error of errors) console.log(error);
  const sum = (name) => files.reduce((total, file) => total + file[name], 0);
  const time = `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  console.log(`\n${sum('skipped')} tests skipped, ${time}`);
  console.log(`${sum('passed')} passed, ${sum('failed') + errors.length} failed`);
  return sum('failed') + errors.length === 0;
}

/** Says why files skipped tests, and how many did. */
function reasonsOf(files) {
  const counts = new Map();
  for (const { part, skipped, reasons } of files)
    for (const reason of skipped > 0 ? reasons : [])
      counts.set(`${reason} (${part})`, (counts.get(`${reason} (${part})`) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${reason}: ${count} files`);
}
