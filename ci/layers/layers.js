/**
 * The layers of src, from the top. A layer imports the layers that it names, itself, and the npm packages that it names;
 * tests may import any layer below their own, the reference carrier, and any package.
 */
export const layers = [
  {
    name: 'api',
    below: ['cli', 'setup', 'report', 'engine', 'carrier'],
    base: ['suite', 'model', 'lib'],
    packages: [],
    because: 'the same as functions, for programs and tests: no streams, no signals, no exit code; nothing is decided here',
  },
  {
    name: 'cli',
    below: ['prove', 'setup', 'interfaces', 'explore', 'live', 'report', 'certificate', 'compare', 'engine', 'journal'],
    base: ['judge', 'wire', 'target', 'suite', 'model', 'lib'],
    packages: ['@bomb.sh/tab', 'commander', 'chalk'],
    because: 'one folder a command; everything is wired here, and nothing is decided here but the exit code',
  },
  {
    name: 'prove',
    below: ['setup', 'interfaces', 'explore', 'engine', 'journal', 'carrier'],
    base: ['judge', 'wire', 'target', 'suite', 'model', 'lib'],
    packages: [],
    because: 'runs the engine against the reference carrier, with and without each of its faults, and compares',
  },
  {
    name: 'setup',
    below: ['interfaces', 'carrier', 'certificate', 'journal'],
    base: ['judge', 'wire', 'target', 'suite', 'model', 'lib'],
    packages: ['rolldown', 'ajv'],
    because: 'sets up what ships: the suites, a target file, the reference carrier in a thread of its own; and builds it',
  },
  {
    name: 'interfaces',
    below: ['explore', 'engine'],
    base: ['judge', 'wire', 'suite', 'model', 'lib'],
    packages: ['fast-check'],
    because: 'an interface is a value made with the types of the engine; the engine knows no interface',
  },
  {
    name: 'explore',
    below: ['engine'],
    base: ['suite', 'model', 'lib'],
    packages: [],
    because: 'tries what an interface makes of its rules, shrinks what turns red, and knows no member itself',
  },
  {
    name: 'live',
    below: ['report', 'engine'],
    base: ['wire', 'model', 'lib'],
    packages: ['fastify'],
    because: 'a page while a run lasts: progress and questions go out, answers come in; it decides nothing',
  },
  {
    name: 'certificate',
    below: [],
    base: ['model', 'lib'],
    packages: ['ajv', 'jose'],
    because: 'a result goes in, a signed manifest comes out, or the reason why not; it opens no file and no terminal',
  },
  {
    name: 'report',
    below: ['compare', 'journal'],
    base: ['model', 'lib'],
    packages: ['chalk', 'log-update', 'rolldown'],
    because: 'pure functions of the result, and of nothing but the result',
  },
  {
    name: 'compare',
    below: [],
    base: ['model', 'lib'],
    packages: [],
    because: 'results go in, rows of rules come out; reports make them readable',
  },
  {
    name: 'engine',
    below: ['journal'],
    base: ['judge', 'wire', 'target', 'suite', 'model', 'lib'],
    packages: [],
    because: 'the neutral kernel: timeline, locks, steps, deliveries; it knows a target and an interface as values',
  },
  {
    name: 'journal',
    below: [],
    base: ['judge', 'suite', 'model', 'lib'],
    packages: ['ajv'],
    because: 'the one place that knows the entries of a journal, and the one way from entries to a result',
  },
  {
    name: 'judge',
    below: [],
    base: ['suite', 'model', 'lib'],
    packages: [],
    because: 'pure: what was observed goes in, findings and verdicts come out',
  },
  {
    name: 'wire',
    below: [],
    base: ['model', 'lib'],
    packages: ['jose', 'undici', 'fastify'],
    because: 'the only input and output with a carrier: bytes, keys and sockets, no case and no verdict',
  },
  {
    name: 'target',
    below: [],
    base: ['suite', 'model', 'lib'],
    packages: ['tldts'],
    because: 'a target file is read with the same positions, templates and messages as a suite',
  },
  {
    name: 'suite',
    below: [],
    base: ['model', 'lib'],
    packages: ['ajv', 'yaml'],
    because: 'reads YAML and checks it, so that no layer above sees YAML or JSON Schema; it sends nothing',
  },
  { name: 'model', below: [], base: ['lib'], packages: [], because: 'nouns: every layer may know them' },
  {
    name: 'lib',
    below: [],
    base: [],
    packages: ['ajv', 'damerau-levenshtein', 'fast-string-width'],
    because: 'pure functions without a domain, each once' },
  {
    name: 'carrier',
    below: [],
    base: [],
    packages: ['fastify', 'jose', 'undici'],
    because: 'the reference carrier shares nothing with the suite that tests it: a shared bug would hide itself',
  },
];

/** Where the reference carrier may be named, beside the layers that have it below them. */
export const carrierFiles = ['cli/carrier/', 'cli/check/', 'cli/explain/', 'cli/list/'];

export const imports = ({ name, below, base }) => [name, ...below, ...base];

/**
 * The folders of the engine, from the top: a file calls its own folder and those below, and may name the types of all. What
 * stands beside the folders, and the two first, are not called by the rest.
 */
export const engine = [
  ['measure', 'finds the limits of a carrier with cases of its own'],
  ['preflight', 'tries a target out before the first case'],
  ['recheck', 'whether a result follows from its cases'],
  ['merge', 'parts of one run become its result'],
  ['resume', 'resumes a run that was cut off'],
  ['plan', 'what runs, with whom, in which order and how long; it sends nothing'],
  ['case', 'from the first step of a case to the last moment at which something of it may come'],
  ['act', 'the step runner, the verbs of the suite language, and how a step is judged'],
  ['receive', 'a delivery finds the case that waits for it'],
  ['drive', 'makes an action happen, and undoes it'],
  ['context', 'the services of a run, and what one case knows, sends and leaves'],
  ['clock', 'moments and waits; it knows no case'],
];
