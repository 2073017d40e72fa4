/**
 * The layers of src, from the top. A layer may import itself, the layers and the npm packages that it names; tests may import
 * any layer below their own, the reference carrier, and any package.
 */
export const layers = [
  {
    name: 'lab',
    below: ['api', 'cli', 'setup', 'interfaces', 'live', 'report', 'certificate', 'compare', 'engine', 'journal', 'carrier'],
    base: ['judge', 'verdict', 'wire', 'target', 'suite', 'files', 'model', 'lib'],
    packages: ['fast-check', 'chalk', 'fastify'],
    because: 'shows that the suites are right, with faults and with carriers drawn at random; certifying a carrier needs none of it',
  },
  {
    name: 'api',
    below: ['cli', 'setup', 'report', 'engine', 'carrier'],
    base: ['verdict', 'suite', 'files', 'model', 'lib'],
    packages: [],
    because: 'the commands as functions, for programs and tests: no streams, no signals, no exit code, and no decisions',
  },
  {
    name: 'cli',
    below: ['setup', 'interfaces', 'live', 'report', 'certificate', 'compare', 'engine', 'journal'],
    base: ['judge', 'verdict', 'wire', 'target', 'suite', 'files', 'model', 'lib'],
    packages: ['commander', 'chalk'],
    because: 'one folder per command; it wires everything together and decides only the exit code',
  },
  {
    name: 'setup',
    below: ['interfaces', 'carrier', 'certificate', 'journal'],
    base: ['judge', 'verdict', 'wire', 'target', 'suite', 'files', 'model', 'lib'],
    packages: ['rolldown', 'ajv'],
    because: 'loads what ships: suites, a target file, the reference carrier in its own thread; and builds the bundle',
  },
  {
    name: 'interfaces',
    below: ['engine'],
    base: ['judge', 'verdict', 'wire', 'suite', 'model', 'lib'],
    packages: [],
    because: 'an interface is a value with the types of the engine; the engine knows no interface',
  },
  {
    name: 'live',
    below: ['report', 'engine'],
    base: ['verdict', 'wire', 'model', 'lib'],
    packages: ['fastify'],
    because: 'serves a page during a run: progress and questions go out, answers come in; it decides nothing',
  },
  {
    name: 'certificate',
    below: [],
    base: ['verdict', 'model', 'lib'],
    packages: ['ajv', 'jose'],
    because: 'turns a result into a signed manifest, or the reason why not; it opens no file and no terminal',
  },
  {
    name: 'report',
    below: ['compare', 'journal'],
    base: ['verdict', 'model', 'lib'],
    packages: ['chalk', 'log-update', 'rolldown'],
    because: 'pure functions of the result alone',
  },
  {
    name: 'compare',
    below: [],
    base: ['verdict', 'model', 'lib'],
    packages: [],
    because: 'turns results into rows of rules, which reports make readable',
  },
  {
    name: 'engine',
    below: ['journal'],
    base: ['judge', 'verdict', 'wire', 'target', 'suite', 'files', 'model', 'lib'],
    packages: [],
    because: 'the neutral kernel: timeline, locks, steps, deliveries; it knows a target and an interface as values',
  },
  {
    name: 'journal',
    below: [],
    base: ['judge', 'verdict', 'suite', 'files', 'model', 'lib'],
    packages: ['ajv'],
    because: 'only this layer knows the entries of a journal and builds a result from them',
  },
  {
    name: 'judge',
    below: ['verdict'],
    base: ['suite', 'model', 'lib'],
    packages: ['jose'],
    because: 'pure functions from observations to findings and verdicts; a token is also read by a library of service providers',
  },
  {
    name: 'verdict',
    below: [],
    base: ['suite', 'model', 'lib'],
    packages: [],
    because: 'the one owner of outcomes: what stands, what a rule and the run come to, every count and the exit code; pure',
  },
  {
    name: 'wire',
    below: [],
    base: ['model', 'lib'],
    packages: ['jose', 'undici', 'fastify'],
    because: 'does all input and output with a carrier: bytes, keys and sockets; it knows no case and no verdict',
  },
  {
    name: 'target',
    below: [],
    base: ['suite', 'files', 'model', 'lib'],
    packages: ['tldts'],
    because: 'a target file is read with the same positions, templates and messages as a suite',
  },
  {
    name: 'suite',
    below: [],
    base: ['files', 'model', 'lib'],
    packages: ['ajv', 'yaml'],
    because: 'reads YAML and checks it, so that no layer above sees YAML or JSON Schema; it sends nothing',
  },
  {
    name: 'files',
    below: [],
    base: ['model', 'lib'],
    packages: [],
    because: 'the only layer that reads and writes files: bounded, regular, never through a link in the place of a file of ours',
  },
  { name: 'model', below: [], base: ['lib'], packages: [], because: 'nouns that every layer may use' },
  {
    name: 'lib',
    below: [],
    base: [],
    packages: ['ajv', 'damerau-levenshtein', 'fast-string-width'],
    because: 'pure functions without domain knowledge, each defined once' },
  {
    name: 'carrier',
    below: [],
    base: [],
    packages: ['fastify', 'jose', 'undici'],
    because: 'the reference carrier shares nothing with the suite that tests it: a shared bug would hide itself',
  },
];

/** Files of the product that load the laboratory, by dynamic imports alone: its two commands, and faults by name. */
export const labDoors = ['cli/main.ts', 'cli/shared/laboratory.ts'];

/** Folders that may import the reference carrier, beside the layers above it. */
export const carrierFiles = ['cli/carrier/'];

export const imports = ({ name, below, base }) => [name, ...below, ...base];

/**
 * The folders of the engine, from the top. A file may call its own folder and those below it, and import types from all. Files
 * beside the folders, and the first two folders, are not called by the others.
 */
export const engine = [
  ['measure', 'finds the limits of a carrier with cases of its own'],
  ['preflight', 'checks a target before the first case'],
  ['recheck', 'checks that a result follows from its cases'],
  ['merge', 'merges the shards of a run into its result'],
  ['resume', 'resumes a run that was cut off'],
  ['plan', 'decides what runs, with which subscribers, in which order and how long; it sends nothing'],
  ['case', 'runs a case, from its first step to the last moment at which a delivery may come'],
  ['act', 'runs and judges steps: the verbs of the suite language'],
  ['receive', 'matches a delivery to the case that waits for it'],
  ['drive', 'performs an action, and undoes it'],
  ['context', 'the services of a run, and the state of one case'],
  ['clock', 'moments and waits; it knows no case'],
];
