import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { readTarget } from '../dist/setup/read.js';
import { referenceTarget } from '../dist/setup/reference.js';
import { measureChild } from './child.js';
import { bin, median, root, startUnlimited, table, withFolder } from './ground.js';
import { writeGets } from './suite.js';

const folder = join(root, 'bench', 'peers');
const modules = join(folder, 'node_modules');
const counts = [1, 500];
const concurrency = 16;
const wanted = 5;
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const pinned = readJson(join(folder, 'package.json')).dependencies.stepci;

function isInstalled() {
  const path = join(modules, 'stepci', 'package.json');
  return existsSync(path) && readJson(path).version === pinned;
}

function installPeer() {
  const args = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
  const { status, error } = spawnSync(npm, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} in ${folder} ended with ${error ?? status}`);
}

const stepciTest = ({ url, member, value }, number) => `  discovery-${number}:
    name: Discovery answers
    steps:
      - name: Discovery answers
        http:
          url: ${JSON.stringify(url)}
          method: GET
          check:
            status: 200
            jsonpath:
              $.${member}: ${JSON.stringify(value)}
`;

function writeWorkflow(path, count, wish) {
  const tests = Array.from({ length: count }, (_, at) => stepciTest(wish, at + 1));
  writeFileSync(path, `version: "1.1"\nname: Discovery\ntests:\n${tests.join('')}`);
  return path;
}

/** What every case of both asks for and looks at. */
async function wishOf(env) {
  const { clients, mccmnc } = readTarget(referenceTarget, { ...process.env, ...env });
  const { clientId } = clients.find(({ name }) => name === 'main');
  const query = new URLSearchParams({ client_id: clientId, mccmnc });
  const url = `${env.REFERENCE_ORIGIN}/.well-known/openid_configuration?${query}`;
  const { issuer } = await (await fetch(url)).json();
  return { url, member: 'issuer', value: issuer };
}

/** Throws unless every case passed, and asked for what those of the peer ask for. */
function requirePassed(result, count, url) {
  const { cases } = readJson(result);
  const passed = cases.filter(({ verdict }) => verdict === 'pass').length;
  const asked = cases.flatMap(({ messages }) => messages).filter((message) => message.url === url).length;
  if (passed !== count || asked !== count) {
    throw new Error(`${passed} of ${count} cases passed, ${asked} asked for ${url}: the figures mean nothing`);
  }
}

/** A whole run, and the time until its journal has its last line: the reports are made after that. */
async function measureOwn(count, wish, env) {
  return await withFolder(async (place) => {
    const suites = writeGets(join(place, 'suites'), count, wish);
    const out = join(place, 'out');
    const flags = ['--suites', suites, '--target', referenceTarget, '--jobs', concurrency, '--out', out];
    const measured = await measureChild([bin, 'run', 'bench', ...flags], env);
    requirePassed(join(out, 'result.json'), count, wish.url);
    return { ...measured, run: (statSync(join(out, 'journal.jsonl')).mtimeMs - measured.beganAt) / 1000 };
  });
}

/** A whole run of StepCI, which writes no report but to stdout. It sends nothing of its use home. */
async function measureStepci(count, wish) {
  return await withFolder(async (place) => {
    const workflow = writeWorkflow(join(place, 'workflow.yml'), count, wish);
    const command = [join(modules, 'stepci', 'dist', 'index.js'), 'run', workflow, '--concurrency', concurrency];
    const env = { STEPCI_DISABLE_ANALYTICS: '1', XDG_CONFIG_HOME: join(place, 'config') };
    const measured = await measureChild(command, env);
    if (!measured.stdout.includes(`${count} passed, ${count} total`)) {
      throw new Error(`StepCI did not say that ${count} tests passed: ${measured.stdout}`);
    }
    return measured;
  });
}

const wall = ({ seconds }) => seconds;
const untilJournal = ({ run }) => run;
const processors = ({ cpu }) => cpu;

/** Columns by number of cases; the last is what a further case costs, in ms. */
function rowsOf(own, stepci) {
  const row = (name, measured, figure) => {
    const values = measured.map((repeats) => median(repeats.map(figure)));
    const each = ((values[1] - values[0]) / (counts[1] - counts[0])) * 1000;
    return { name, values, cells: [name, ...values.map((value) => value.toFixed(2)), each.toFixed(2)] };
  };
  return [
    row('carrierspec, wall, with its reports', own, wall),
    row('carrierspec, wall, up to the end of its journal', own, untilJournal),
    row('StepCI, wall', stepci, wall),
    row('carrierspec, of the processors', own, processors),
    row('StepCI, of the processors', stepci, processors),
  ];
}

function printFigures(own, stepci, print) {
  const rows = rowsOf(own, stepci);
  const head = ['s', ...counts.map((count) => (count === 1 ? '1 case' : `${count} cases`)), 'ms a further case'];
  for (const line of table([head, ...rows.map(({ cells }) => cells)])) print(line);
  const [whole, plain, peer, used, peerUsed] = rows.map(({ values }) => values.at(-1));
  const ratios = [
    `${(peer / whole).toFixed(2)} with our reports`,
    `${(peer / plain).toFixed(2)} without`,
    `${(peerUsed / used).toFixed(2)} of the processors' time`,
  ];
  print(`StepCI : carrierspec = ${ratios.join(', ')}; wanted: ${wanted}`);
}

/** The same one-step cases run by this program and by StepCI, whole processes in turns against one carrier apart from both. */
export async function peers({ install, repeats, print }) {
  print(
    `\npeers: ${counts.at(-1)} cases that GET the discovery document, status and one member checked, ${concurrency} at a time`,
  );
  if (install && !isInstalled()) installPeer();
  if (!isInstalled()) {
    print(
      `StepCI ${pinned} is not there: npm run bench -- peers --install installs it in ${modules}, from the network`,
    );
    return;
  }
  print(`StepCI ${pinned}; medians of ${repeats}, in turns`);
  const reference = await startUnlimited();
  const [own, stepci] = [counts.map(() => []), counts.map(() => [])];
  try {
    const wish = await wishOf(reference.env);
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const [at, count] of counts.entries()) {
        own[at].push(await measureOwn(count, wish, reference.env));
        stepci[at].push(await measureStepci(count, wish));
      }
    }
  } finally {
    await reference.close();
  }
  printFigures(own, stepci, print);
}
