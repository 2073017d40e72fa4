import {
  comparison,
  detailFlags,
  json,
  mergeOut,
  report,
  reporter,
  suites,
  defaultRunsFolder,
} from '../shared/flags.ts';
import { defineCommand, doneExits, judgedExits } from '../shared/help.ts';
import {
  withGroup,
  mandatoryText,
  parsedInput,
  textInput,
  textsInput,
  createTimeParser,
  toggle,
  wholeInputOr,
} from '../shared/inputs.ts';

export const reportDefinition = defineCommand({
  name: 'report',
  group: 'results',
  summary: 'make reports of a run that is over, from its result',
  description:
    'Makes reports of a result.json, or of the journal.jsonl of a run that was cut off; without --report, that for the terminal. Exit code 0 says that they were written: the verdict was the exit code of the run.',
  args: { file: mandatoryText('<result>', 'a result.json or a journal.jsonl') },
  flags: { report, reporter, ...detailFlags },
  examples: [
    'carrierspec-report/latest/result.json',
    'carrierspec-report/latest/result.json --report har=run.har --report markdown=-',
    'carrierspec-report/latest/journal.jsonl --report junit=junit.xml',
  ],
  ends: doneExits,
  docs: 'docs/ci.md',
});

export const mergeDefinition = defineCommand({
  name: 'merge',
  group: 'results',
  summary: 'join the parts of a run that was split with --shard',
  description:
    'Joins the results of all shards as if they had been one run, judges the rules again, writes its reports, and ends with its exit code. Refuses results that are not parts of one run; a shard that is missing makes it incomplete.',
  args: { files: textsInput('<result...>', 'the result.json, or journal.jsonl, of each shard') },
  flags: { suites, report, out: mergeOut, ...detailFlags },
  examples: ['shard-*/result.json', 'shard-1/result.json shard-2/result.json --out whole --report markdown=summary.md'],
  ends: judgedExits,
  docs: 'docs/ci.md',
});

export const compareDefinition = defineCommand({
  name: 'compare',
  group: 'results',
  summary: 'rules by results: how each carrier treats what the interface leaves open',
  description:
    'Sets results side by side, of several carriers or of one over time: verdicts and informational values of every rule, then limits and profile of runs that measured, differences first. Refuses results of different rules or suites. Exit code 0 says that the comparison was made, whatever it shows.',
  args: { files: textsInput('<result...>', 'two or more result.json') },
  flags: {
    shared: toggle('--shared', 'join results of different rules or suites nevertheless, and show only what they share'),
    report: comparison,
  },
  examples: [
    'one/result.json other/result.json',
    'one/result.json other/result.json --report html=compare.html --report json=-',
    'march/result.json june/result.json --shared',
  ],
  ends: { ...doneExits, conformant: 'done, whatever it shows' },
  docs: 'docs/limits.md',
});

export const historyDefinition = defineCommand({
  name: 'history',
  group: 'results',
  summary: 'list the runs that were kept, or put all their results on one page',
  description:
    'Lists the runs of folders, newest first: when, of what, against which carrier, and how each came out. With --out it makes one page, and a JSON document, of the results below the folders: carriers by rules, and when each rule turned. Files that are no result are named on stderr. Exit code 0 says that it was done, whatever it shows; with --turned-since, that no rule became worse.',
  args: { dirs: textsInput('[dir...]', `folders of results, or results; default ${defaultRunsFolder}`) },
  flags: {
    ...withGroup('written', {
      out: textInput('-o, --out <dir>', 'folder of index.html and history.json; without it, the runs are listed'),
    }),
    newest: wholeInputOr('--newest <n>', 'runs of each carrier, the newest', { from: 1, to: 1000, initial: 30 }),
    turnedSince: parsedInput(
      '--turned-since <time>',
      'print the rules whose verdict changed in runs since then, and carriers without a run; exit code 1 if a rule became worse',
      createTimeParser('--turned-since'),
    ),
    json,
  },
  examples: ['', 'one other --out site --newest 10', 'nightly --out site --json'],
  ends: {
    ...doneExits,
    conformant: 'listed or written, whatever it shows',
    'not conformant': 'of --turned-since: a rule became worse',
    incomplete: 'of --turned-since: a carrier has no run since then',
  },
  docs: 'docs/history.md',
});

export const certifyDefinition = defineCommand({
  name: 'certify',
  group: 'results',
  summary: 'sign what a run has found',
  description:
    'Signs a certificate (a JWS) of a result.json: its digest, the outcome, the verdict of every rule, what is informational, and what was not judged and why. Refuses what is incomplete, what was cut off, a virtual clock unless the target is declared a test carrier, and suites that do not ship unless they are named. Exit code 0 says that it was written, whatever outcome it certifies.',
  args: { file: mandatoryText('<result>', 'the result.json of a run') },
  flags: {
    key: mandatoryText('--key <file>', 'the private JWK to sign with: RSA of 2048 bits or more, EC P-256 or Ed25519'),
    ...withGroup('written', {
      out: textInput('-o, --out <file>', 'where the certificate goes; default certificate.jws beside the result'),
    }),
    suites: { ...suites, doc: 'a further folder of suites that the run used: an addition, and named as one' },
  },
  examples: [
    'carrierspec-report/latest/result.json --key private.jwk.json',
    'carrierspec-report/latest/result.json --key private.jwk.json --out carrier.jws',
  ],
  ends: { ...doneExits, conformant: 'signed, whatever outcome it certifies' },
  docs: 'docs/certification.md',
});

export const verifyDefinition = defineCommand({
  name: 'verify',
  group: 'results',
  summary: 'check a certificate, and say what it certifies and what it does not',
  description:
    'Checks a certificate with the public key of its signer, and with a result that it is of this file, byte for byte. Works offline. Exit code 0: valid, and the outcome it certifies is printed; 1: not valid, or not of this result.',
  args: {
    file: mandatoryText('<certificate>', 'the file that certify wrote'),
    result: textInput('[result]', 'the result.json it should be of'),
  },
  flags: { key: mandatoryText('--key <file>', 'the public JWK of the signer, or a JWK Set that has it') },
  examples: [
    'certificate.jws --key public.jwk.json',
    'certificate.jws carrierspec-report/latest/result.json --key public.jwk.json',
  ],
  ends: { conformant: 'valid', 'not conformant': 'not valid, or not of this result', usage: true },
  docs: 'docs/certification.md',
});
