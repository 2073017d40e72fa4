const explore = 'type carrierspec explore, then carrierspec run --suites carrierspec-explore';

/** Names that went, with what to type now: commands, report formats, then the flags of each command. */
const gone: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
  formats: {},
  run: {
    '--traces': 'write a reporter, --reporter FILE (docs/library.md)',
    '--level': 'type --profile interface, hardened or strict; informational rules never count',
    '--preflight': 'type carrierspec check --preflight first for full, --keep-going for off',
    '--measure': 'type carrierspec measure --out DIR',
    '--explore': explore,
    '--seed': explore,
    '--requests': explore,
    '--pushes': explore,
  },
  plan: {
    '--level': 'name rules or areas',
    '--explore': explore,
    '--seed': explore,
    '--requests': explore,
    '--pushes': explore,
  },
  compare: { '--history': 'type carrierspec history DIR --out SITE' },
  send: {
    '--beside': 'type --param NAME=VALUE',
    '--member': 'type --param NAME=VALUE',
    '--within': 'type --wait DURATION',
  },
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
