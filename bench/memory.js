import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { referenceTarget } from '../dist/setup/reference.js';
import { bin, root, startUnlimited, table, withFolder } from './ground.js';
import { writeSuites } from './suite.js';

const sizes = [5000, 10_000, 20_000];
const preload = `file://${root}/bench/peak.js`;

function child(args, env) {
  return new Promise((resolve, reject) => {
    const process_ = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    process_.stderr.setEncoding('utf8').on('data', (text) => {
      errors = (errors + text).slice(-2000);
    });
    process_.once('error', reject);
    process_.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${errors}`));
    });
  });
}

async function measure(cases, more, env) {
  return await withFolder(async (folder) => {
    const peak = join(folder, 'peak');
    const suites = writeSuites(join(folder, 'suites'), cases);
    const run = ['run', 'bench', '--suites', suites, '--out', join(folder, 'out'), ...more];
    const begun = performance.now();
    await child(['--import', preload, bin, ...run], { ...env, PEAK_FILE: peak });
    const seconds = (performance.now() - begun) / 1000;
    return [seconds.toFixed(1), Math.round(Number(readFileSync(peak, 'utf8')) / 1024)];
  });
}

async function measureApart(cases) {
  const reference = await startUnlimited();
  try {
    return await measure(cases, ['--target', referenceTarget], reference.env);
  } finally {
    await reference.close();
  }
}

/** Time and peak memory of a whole run by number of cases: the tool alone, and with the embedded carrier in its process. */
export async function memory({ print }) {
  const rows = [['cases', 's', 'MiB', 's, carrier inside', 'MiB, carrier inside']];
  for (const cases of sizes) rows.push([cases, ...(await measureApart(cases)), ...(await measure(cases, [], {}))]);
  print('\nmemory: a whole run of generated cases in one folder, reading and reports included; peak resident memory');
  for (const line of table(rows)) print(line);
}
