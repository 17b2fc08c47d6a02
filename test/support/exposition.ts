const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) (\\S.*)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`);
/** prom-client says `Nan`; Prometheus reads it in any case. */
const VALUE = 'NaN|Nan|[+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (${VALUE})$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;

/** Metrics as they were served. */
export interface Exposition {
  /** The type of each metric that was announced. */
  types: Map<string, string>;
  /** The value of each series, such as `fcs_submissions_total{outcome="spam",reason=""}`. */
  values: Map<string, number>;
}

/**
 * Reads the text format of Prometheus, version 0.0.4, more strictly than Prometheus does: every
 * metric is announced by HELP and TYPE, no series appears twice, and buckets add up.
 */
export function parseExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const types = new Map<string, string>();
  const values = new Map<string, number>();
  let helped = '';
  let family = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const help = HELP.exec(line);
    const type = TYPE.exec(line);
    const sample = SAMPLE.exec(line);
    if (line === '') continue;
    if (help) helped = help[1] ?? '';
    else if (type) {
      family = type[1] ?? '';
      if (helped !== family || types.has(family)) throw new Error(`Announced wrongly: ${line}`);
      types.set(family, type[2] ?? '');
    } else if (sample) {
      const [, name = '', labels = '', value = ''] = sample;
      const suffix = name.slice(family.length);
      const fits = types.get(family) === 'histogram' ? /^_(bucket|sum|count)$/ : /^$/;
      const series = labels === '' ? name : `${name}{${checkedLabels(labels)}}`;
      if (!name.startsWith(family) || !fits.test(suffix)) throw new Error(`Not announced: ${line}`);
      if (values.has(series)) throw new Error(`Listed twice: ${line}`);
      values.set(series, Number(value.replace('Inf', 'Infinity')));
    } else throw new Error(`Not a line of the format: ${line}`);
  }
  checkBuckets(values);
  return { types, values };
}

function checkedLabels(labels: string): string {
  for (let rest = labels; rest !== '';) {
    const [whole] = LABEL.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`Not labels: ${labels}`);
    rest = rest.slice(whole.length);
  }
  return labels;
}

/** Checks that each bucket of a histogram includes the smaller ones, and the last has everything. */
function checkBuckets(values: Map<string, number>): void {
  const formers = new Map<string, number>();
  for (const [bucket, value] of values) {
    const [, name = '', labels = ''] = /^(.*)_bucket\{(.*)\}$/.exec(bucket) ?? [];
    if (name === '') continue;
    // Others than `le` tell series of one histogram apart; they stand before or behind it.
    const others = labels.split(/,(?=\w+=")/).filter((label) => !label.startsWith('le='));
    const series = others.length === 0 ? '' : `{${others.join(',')}}`;
    if (value < (formers.get(name + series) ?? 0)) throw new Error(`Fewer: ${bucket}`);
    formers.set(name + series, value);
    const isLast = labels.includes('le="+Inf"');
    if (isLast && value !== values.get(`${name}_count${series}`)) throw new Error(`Not all: ${bucket}`);
  }
}
