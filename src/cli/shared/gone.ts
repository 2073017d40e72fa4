/** Names that went, with what to type now: commands, report formats, then the flags of each command. */
const gone: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  commands: {},
  formats: {
    'html-dir': 'write html',
    pdf: 'write html, and print it from a browser',
    'pdf-all': 'write html, open it in a browser and choose Print all',
    tap: 'write junit or ctrf',
  },
  certify: { '--badge': 'link to the certificate' },
  explain: { '--open': 'leave it out; the terminal has the whole page' },
  merge: { '--replace': 'run --last-failed, then compare the two results' },
  plan: {
    '--report': 'read the manual tasks under By hand, or manualTasks of --json',
    '--start': 'times count from the beginning of the run',
  },
  run: { '--traces': 'copy the reporter of docs/examples/otel-reporter, and name it with --reporter' },
  check: { '--fix': 'no older format is read any more; check reports each unknown name, with its place' },
  init: {
    '--carrier': 'write it into the carrier.yaml that init writes',
    '--mccmnc': 'write it into the carrier.yaml that init writes',
    '--receiver': 'write it into the carrier.yaml that init writes',
    '--foreign': 'write it into the carrier.yaml that init writes, under carrier_codes',
    '--client': 'carrier.yaml has every role, and keys has the keys of each: remove the number signs of its lines',
  },
  listen: { '--live': 'listen prints each delivery, decoded' },
  carrier: { '--live': 'carrier prints each request and callback' },
  compare: { '--history': 'carrierspec history DIR...' },
  history: { '--reports': 'the page leads to the report.html beside each result' },
};

/** Returns `; --traces went: write a reporter`, or nothing for any other name. */
function wordsOf(table: string, name: string): string {
  const rows = Object.hasOwn(gone, table) ? gone[table] : undefined;
  const now = rows !== undefined && Object.hasOwn(rows, name) ? rows[name] : undefined;
  return now === undefined ? '' : `; ${name} went: ${now}`;
}

/** What to type in place of a command that went; empty for any other name. */
export const insteadOfCommand = (name: string): string => wordsOf('commands', name);

/** What to write in place of a report format that went; empty for any other name. */
export const insteadOfFormat = (name: string): string => wordsOf('formats', name);

/** What to type in place of a flag that went, `--traces`; empty for any other name. */
export const insteadOfFlag = (command: string, flag: string): string => wordsOf(command, flag);
