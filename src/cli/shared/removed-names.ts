const profileAdvice = 'type --profile interface, hardened or strict; informational rules never count';
const exploreAdvice = 'type carrierspec explore, then carrierspec run --suites carrierspec-explore';

/** Removed names and their replacements: commands, report formats, values of a flag, then the flags of each command. */
const removedNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  commands: {
    discover: 'type carrierspec send discovery',
    tenure: 'type carrierspec send usertrait',
    userinfo: 'type carrierspec send userinfo',
    token: 'type carrierspec send token',
    cancel: 'type carrierspec send cancel --auth-req-id ID',
    events: 'type carrierspec send events',
    runs: 'type carrierspec history',
    preflight: 'type carrierspec check --preflight --target FILE',
    replay: 'type carrierspec run CASE, or run --last-failed for all that was red',
    help: 'type carrierspec COMMAND --help',
  },
  formats: {
    'html-dir': 'write html',
    markdown: 'write html, or json for your own tables',
    pdf: 'write html, and print it from a browser',
    'pdf-all': 'write html, open it in a browser and choose Print all',
    tap: 'write junit or ctrf',
  },
  '--kind': {
    choice: 'type carrierspec list --freedoms',
    verb: 'read docs/suite-language.md',
    'named-check': 'read docs/suite-language.md',
    verdict: 'read docs/running.md',
    result: 'read docs/running.md',
    level: 'read docs/running.md',
    'exit-code': 'type carrierspec --help',
  },
  run: {
    '--traces': 'copy the reporter of docs/examples/otel-reporter, and name it with --reporter',
    '--level': profileAdvice,
    '-l': profileAdvice,
    '--preflight': 'type carrierspec check --preflight first for full, --keep-going for off',
    '--measure': 'type carrierspec measure --out DIR',
    '--explore': exploreAdvice,
    '--seed': exploreAdvice,
    '--requests': exploreAdvice,
    '--pushes': exploreAdvice,
  },
  plan: {
    '--level': 'name rules or areas',
    '-l': 'name rules or areas',
    '--report': 'read the manual tasks under By hand, or manualTasks of --json',
    '--start': 'times count from the beginning of the run',
    '--explore': exploreAdvice,
    '--seed': exploreAdvice,
    '--requests': exploreAdvice,
    '--pushes': exploreAdvice,
  },
  send: {
    '--beside': 'type --param NAME=VALUE',
    '--member': 'type --param NAME=VALUE',
    '--within': 'type --wait DURATION',
  },
  certify: { '--badge': 'link to the certificate' },
  check: { '--fix': 'no older format is read any more; check reports each unknown name, with its place' },
  compare: { '--history': 'type carrierspec history DIR --out SITE' },
  explain: { '--open': 'leave it out; the terminal has the whole page' },
  history: { '--reports': 'the page leads to the report.html beside each result' },
  init: {
    '--carrier': 'write it into the carrier.yaml that init writes',
    '--mccmnc': 'write it into the carrier.yaml that init writes',
    '--receiver': 'write it into the carrier.yaml that init writes',
    '--foreign': 'write it into the carrier.yaml that init writes, under carrier_codes',
    '--client': 'carrier.yaml has every role, and keys has the keys of each: remove the number signs of its lines',
  },
  listen: { '--live': 'listen prints each delivery, decoded' },
  carrier: { '--live': 'carrier prints each request and callback' },
  merge: { '--replace': 'run --last-failed, then compare the two results' },
};

/** Returns `; --traces went: ...` for a removed name, else an empty string. */
export function describeReplacement(table: string, name: string): string {
  const rows = Object.hasOwn(removedNames, table) ? removedNames[table] : undefined;
  const now = rows !== undefined && Object.hasOwn(rows, name) ? rows[name] : undefined;
  return now === undefined ? '' : `; ${name} went: ${now}`;
}
