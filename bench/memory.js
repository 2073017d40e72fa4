import { join } from 'node:path';
import { referenceTarget } from '../dist/setup/reference.js';
import { measureChild } from './child.js';
import { bin, startUnlimited, table, withFolder } from './ground.js';
import { longCases, writeLongFile, writeSuites } from './suite.js';

const fileMegabytes = 5;

async function measure(write, more, env) {
  return await withFolder(async (folder) => {
    const suites = write(join(folder, 'suites'));
    const run = ['run', 'bench', '--suites', suites, '--out', join(folder, 'out'), ...more];
    const { seconds, mebibytes } = await measureChild([bin, ...run], env);
    return [seconds.toFixed(1), mebibytes];
  });
}

async function measureApart(write) {
  const reference = await startUnlimited();
  try {
    return await measure(write, ['--target', referenceTarget], reference.env);
  } finally {
    await reference.close();
  }
}

/** Time and peak memory of a whole run by number of cases: alone, and with the embedded carrier in the same process. */
export async function memory({ sizes, print }) {
  const count = longCases(fileMegabytes * 1e6);
  const subjects = [
    ...sizes.map((cases) => [String(cases), (folder) => writeSuites(folder, cases)]),
    [`${count} in a file of ${fileMegabytes} MB`, (folder) => writeLongFile(folder, count)],
  ];
  const rows = [['cases', 's', 'MiB', 's, carrier inside', 'MiB, carrier inside']];
  for (const [name, write] of subjects)
    rows.push([name, ...(await measureApart(write)), ...(await measure(write, [], {}))]);
  print('\nmemory: a whole run of generated cases in one folder, reading and reports included; peak resident memory');
  for (const line of table(rows)) print(line);
}
