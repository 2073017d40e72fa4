import { performance } from 'node:perf_hooks';
import { createRedactor } from '../dist/wire/record/redactor.js';
import { median, table } from './ground.js';

const length = 256 * 1024;

const times = (part) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** The same text in every run: a linear congruential generator (Numerical Recipes). */
function random() {
  let state = 1;
  const characters = Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(32 + ((state >>> 16) % 95));
  });
  return characters.join('');
}

/** Texts with which a carrier could slow down the search for secrets. */
const texts = {
  plain: times('{"error":"invalid_request","error_description":"no such user"}'),
  'eyJ again and again': times('eyJ'),
  'eyJ without a dot': `eyJ${times('a')}`,
  'headers of tokens': times('eyJhbGci.'),
  'tokens, each redacted': times('eyJhbGciOiJSUzI1NiJ9.e30.c2ln '),
  backslashes: times('\\'),
  quotes: times('"'),
  'quotes in quotes': times('\\"'),
  'literals with escapes': times('"\\u0065yJ" '),
  'passwords in URLs': times('//a:b@'),
  'URLs without an end': times('//a:b'),
  slashes: times('/'),
  dashes: times('-'),
  dots: times('.'),
  'random characters': random(),
};

/** Milliseconds of one pass over the text, with this number of secrets. */
function timeWith(needles, text, repeats) {
  const all = Array.from({ length: repeats + 1 }, () => {
    const redactor = createRedactor(new Set(['secret']));
    for (let at = 0; at < needles; at += 1) redactor.learnMembers({ secret: `a-secret-of-the-case-${at}` });
    const begun = performance.now();
    redactor.text(text);
    return performance.now() - begun;
  });
  // The first pass is slower, because nothing is compiled yet.
  return median(all.slice(1));
}

/** For each text MB/s, its time relative to the plain text, and the factor by which the time grows with a text twice as long. */
function figuresWith(needles, repeats) {
  const measured = Object.values(texts).map((text) => ({
    size: text.length / 1e6,
    once: timeWith(needles, text, repeats),
    twice: timeWith(needles, text + text, repeats),
  }));
  const [plain] = measured;
  return measured.map(({ size, once, twice }) => [
    (size / (once / 1000)).toFixed(1),
    (once / plain.once).toFixed(1),
    (twice / once).toFixed(1),
  ]);
}

/** Speed of removing secrets from hostile texts. */
export function redact({ repeats, print }) {
  print(`\nredact: ${length / 1024} KB of each text; MB/s, times as long as the plain text, and as the half of it`);
  const [none, many] = [0, 1000].map((needles) => figuresWith(needles, repeats));
  const rows = Object.keys(texts).map((name, at) => [name, ...none[at], ...many[at]]);
  for (const line of table([['', 'no secret', 'x plain', 'x half', '1000 secrets', 'x plain', 'x half'], ...rows]))
    print(line);
}
